#!/bin/sh
# The first process of a guest. Its root is the machine's own file system, read-only; what it may write is memory,
# and the directory named below. It runs one command, notes how that ended, and switches the guest off.
directory=@DIRECTORY@
exec >/dev/console 2>&1
export PATH=/run/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TMPDIR=/run/tmp
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t tmpfs run /run
# Terminals, where the kernel has made a /dev of its own.
mkdir -p /dev/pts && mount -t devpts devpts /dev/pts
mkdir -p /run/bin /run/lib/modules /run/netns /run/tmp
mount -t hostfs -o "$directory" none "$directory"

# The machine has no modules of the guest's kernel where modprobe looks; the kernel itself asks for modules too.
ln -s "/usr/lib/uml/modules/$(uname -r)" /run/lib/modules/
printf '#!/bin/sh\nexec /sbin/modprobe -d /run "$@"\n' >/run/bin/modprobe
chmod +x /run/bin/modprobe
echo /run/bin/modprobe >/proc/sys/kernel/modprobe

# This kernel keeps iptables rules in the old tables only.
for tool in iptables iptables-save iptables-restore ip6tables ip6tables-save ip6tables-restore; do
  ln -s "$(command -v xtables-legacy-multi)" /run/bin/$tool
done

ip link set lo up
cd /run/tmp
sh "$directory/command" >"$directory/output" 2>&1 </dev/null
echo $? >"$directory/exit"
sync
echo o >/proc/sysrq-trigger
sleep 60
