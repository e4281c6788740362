#!/bin/bash
# A Slurm of one node on this machine, for a test: everything it writes lies in a scratch folder, and what was started is
# ended. Needs root, and Debian's slurmctld, slurmd, slurm-client and munge.
#
#   one_node.sh FOLDER COMMAND...    runs COMMAND while Slurm is up, with SLURM_CONF set; 77 where Slurm cannot be had
set -euo pipefail
folder=$(realpath -m "$1")
shift
skip() { echo "slurm: skipped, $1" >&2; exit 77; }
[ "$(id -u)" -eq 0 ] || skip "it needs root"
for program in slurmctld slurmd munged sbatch; do command -v "$program" >/dev/null || skip "there is no $program"; done

mkdir -p "$folder"/{state,spool,log}
pids=()
finish() {
  for ((i = ${#pids[@]} - 1; i >= 0; --i)); do kill "${pids[i]}" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do
    for _ in $(seq 50); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
    kill -9 "$pid" 2>/dev/null || true
  done
}
trap finish EXIT

# munged wants a folder that nobody else can write in, and every program the same socket
socket=$folder/munge/socket
mkdir -p "$folder/munge"
chmod 755 "$folder" "$folder/munge"
dd if=/dev/urandom bs=1 count=1024 of="$folder/munge/key" 2>/dev/null
chmod 400 "$folder/munge/key"
munged --foreground --force --socket="$socket" --key-file="$folder/munge/key" --log-file="$folder/munge/log" \
  --pid-file="$folder/munge/pid" --seed-file="$folder/munge/seed" >"$folder/log/munged" 2>&1 &
pids+=($!)

host=$(hostname -s)
read -r controller daemon < <(python3 -c '
import socket
sockets = [socket.socket() for _ in range(2)]
for s in sockets: s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in sockets))')
export SLURM_CONF=$folder/slurm.conf
cat > "$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$controller
SlurmdPort=$daemon
AuthType=auth/munge
AuthInfo=socket=$socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmUser=root
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
ReturnToService=2
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
slurmctld -D >"$folder/log/slurmctld" 2>&1 &
pids+=($!)
slurmd -D >"$folder/log/slurmd" 2>&1 &
pids+=($!)
for _ in $(seq 60); do
  if sinfo -h -o %T 2>/dev/null | grep -q idle; then
    "$@"
    exit
  fi
  for pid in "${pids[@]}"; do kill -0 "$pid" 2>/dev/null || { tail -n 5 "$folder"/log/* >&2; skip "a daemon ended"; }; done
  sleep 0.5
done
tail -n 5 "$folder"/log/* >&2
skip "no node became idle"
