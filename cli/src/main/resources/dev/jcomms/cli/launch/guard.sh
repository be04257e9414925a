# Ends the ranks of a job whose launcher is gone. $1: the job's mark; $2: a folder to remove.
# Input: "+ GROUP", "- GROUP", "done". End of input without "done": the launcher was killed.
trap '' HUP INT QUIT TERM
groups=
while read -r verb group; do
  case $verb in
    +) groups="$groups $group" ;;
    -)
      kept=
      for one in $groups; do [ "$one" = "$group" ] || kept="$kept $one"; done
      groups=$kept ;;
    done) exit 0 ;;
  esac
done
marked() {
  grep -slF "JCOMMS_JOB=$1" /proc/[0-9]*/environ | cut -d/ -f3
}
end() {
  for one in $groups $(marked "$2"); do kill -s "$1" -- "$one" 2>/dev/null; done
}
end TERM "$1"
sleep 1
# A process may start another while it is being ended: until none is left.
for _ in 1 2 3; do
  end KILL "$1"
  sleep 0.2 2>/dev/null || sleep 1
done
[ -z "$2" ] || rm -rf "$2"
rm -f /dev/shm/jcomms-"$1"*
