#!/bin/sh
# The jcomms command of a bundle: runs on the Java runtime beside it.
script=$0
case $script in */*) ;; *) script=./$script ;; esac
while [ -h "$script" ]; do
  link=$(readlink "$script")
  case $link in /*) script=$link ;; *) script=${script%/*}/$link ;; esac
done
root=$(CDPATH='' cd -- "${script%/*}/.." && pwd -P) || exit 1
case $root in
  *:*) echo "jcomms: cannot run in $root: Java separates paths by ':'; move or rename it" >&2; exit 1 ;;
esac
exec "$root/runtime/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Djdk.console=java.base \
  --add-modules dev.jcomms.jccl --enable-native-access=dev.jcomms,dev.jcomms.cli,dev.jcomms.jccl,dev.jcomms.tensor "-Djcomms.home=$root" \
  -p "$root/lib" -m dev.jcomms.cli/dev.jcomms.cli.Main "$@"
