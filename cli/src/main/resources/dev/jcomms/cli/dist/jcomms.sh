#!/bin/sh
# The jcomms command of a bundle: runs on the Java runtime beside it.
script=$0
while [ -h "$script" ]; do
  link=$(readlink "$script")
  case $link in /*) script=$link ;; *) script=${script%/*}/$link ;; esac
done
case $script in */*) ;; *) script=./$script ;; esac
root=$(CDPATH='' cd -- "${script%/*}/.." && pwd -P) || exit 1
exec "$root/runtime/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Djdk.console=java.base \
  --enable-native-access=dev.jcomms,dev.jcomms.cli "-Djcomms.home=$root" \
  -p "$root/lib" -m dev.jcomms.cli/dev.jcomms.cli.Main "$@"
