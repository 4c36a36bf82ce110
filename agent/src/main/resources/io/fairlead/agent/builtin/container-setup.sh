# Makes the file system of a container and becomes its first program. Runs as process 1 of namespaces of its own, in
# which nothing else runs yet, with the programs and the rights of the agent. See ContainerSetup.
#
# Arguments: an empty directory, a name that cannot be guessed, the host name, hosts, resolv.conf, capabilities, files
# of /etc, working directory, number of variables (variable_0, variable_1, ... are NAME=value); then `ro` or `rw`,
# source and target of each mount; then `--` and the program.
set -e
umask 022
PATH=/usr/sbin:/usr/bin:/sbin:/bin
root=$1 node=/$2 name=$3 hosts=$4 resolv=$5 capabilities=$6 public=$7 work=$8 variables=$9; shift 9

memory() {
  mount -t tmpfs -o "nosuid,nodev,$2" memory "$1"
}

# What lies at or below paths from which this script still takes programs, libraries and what it knows about mounts.
# Uses nothing but the shell itself.
relied_on() {
  found=
  while read -r _ _ _ _ at _; do
    case $at in
      / | /bin* | /sbin* | /lib* | /usr | /usr/bin* | /usr/sbin* | /usr/lib* | /etc | /etc/ld.so* | /dev | /dev/pts* | \
      /proc* | /sys*) found="$found $at" ;;
    esac
  done
}

hostname "$name"
mount --make-rprivate /
memory "$root" mode=755
cd "$root"
mkdir ".$node" directory dev etc home mnt opt proc root run srv sys tmp var var/cache var/lib var/log var/tmp
: > file
chmod 700 root
chmod 1777 tmp var/tmp
ln -s /run var/run
for each in usr bin sbin lib lib32 lib64 libx32; do
  if [ -L "/$each" ]; then
    cp -P "/$each" .
  elif [ -d "/$each" ]; then
    mkdir "$each"
    mount --rbind "/$each" "$each"
    mount -o remount,bind,ro,nosuid,nodev "$each"
  fi
done
mount -t proc -o nosuid,nodev,noexec proc proc
pivot_root . ".$node"
cd /

# Mounts below programs and libraries are not read-only by what was done above.
while read -r _ _ _ _ at _; do
  case $at in
    /usr/* | /bin/* | /sbin/* | /lib*/*) umount -l "$(printf %b "$at")" ;;
  esac
done < /proc/self/mountinfo

# Not every kernel lets every user see this; few programs miss it.
mount -t sysfs -o ro,nosuid,nodev,noexec sysfs sys 2> /dev/null || :
memory dev mode=755,noexec,size=64k
for each in null zero full random urandom tty; do
  : > "dev/$each"
  mount --bind "$node/dev/$each" "dev/$each"
done
mkdir dev/pts dev/shm
memory dev/shm mode=1777,noexec
mount -t devpts -o newinstance,ptmxmode=666,mode=620,nosuid,noexec devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ln -s /proc/self/fd/0 dev/stdin
ln -s /proc/self/fd/1 dev/stdout
ln -s /proc/self/fd/2 dev/stderr

# What containers may only read, or not see, of the kernel.
for each in bus fs irq sys sysrq-trigger; do
  if [ -e "proc/$each" ]; then mount -o bind,ro,nosuid,nodev,noexec "proc/$each" "proc/$each"; fi
done
for each in proc/acpi proc/asound proc/kcore proc/keys proc/latency_stats proc/sched_debug proc/scsi proc/timer_list \
    proc/timer_stats sys/devices/virtual/powercap sys/firmware; do
  if [ -d "$each" ]; then
    memory "$each" ro,size=0
  elif [ -e "$each" ]; then
    mount --bind dev/null "$each"
  fi
done

cd "$node/etc"
shown=
for each in $public; do
  if [ -e "$each" ]; then shown="$shown $each"; fi
done
cp -RP --parents --preserve=mode $shown /etc/
cd /
ln -s /proc/self/mounts etc/mtab
echo "$name" > etc/hostname
: > etc/hosts
mount -o bind,nosuid,nodev "$node$hosts" etc/hosts
: > etc/resolv.conf
mount -o bind,nosuid,nodev "$node$resolv" etc/resolv.conf

# Programs of the same pod may change links in a volume all the while. So flags are set before a mount gets its place,
# and a mount that landed on what this script relies on ends it.
relied_on < /proc/self/mountinfo
before=$found
while [ "$1" != -- ]; do
  # Links such as /var/run are followed in the container, not on the node.
  target=$(readlink -m "$3")
  if [ -d "$node$2" ]; then
    stage=/directory
    mkdir -p "$target"
  else
    stage=/file
    mkdir -p "${target%/*}/"
    [ -e "$target" ] || : > "$target"
  fi
  mount --rbind "$node$2" "$stage"
  mount -o "remount,bind,nosuid,nodev,$1" "$stage"
  exec 3< /proc/self/mountinfo
  mount --move "$stage" "$target"
  relied_on <&3
  exec 3<&-
  if [ "$found" != "$before" ]; then
    echo "nothing can be mounted on $3: it would hide programs, libraries or devices of the node" >&2
    exit 1
  fi
  shift 3
done
shift

umount -l "$node"
rm -d "$node" directory file
echo ready
exec setpriv --bounding-set="$capabilities" --inh-caps=-all --no-new-privs sh -c '
  cd "$0" || exit
  left=$1; shift
  while [ "$left" -gt 0 ]; do
    left=$((left - 1))
    eval "set -- \"\$variable_$left\" \"\$@\""
  done
  exec env -i "$@"' "$work" "$variables" "$@"
