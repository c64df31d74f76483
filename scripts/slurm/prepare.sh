#!/usr/bin/env bash
# Computes the states that all shards need once, in the folder of the shards, before the array
# begins. If nothing precedes the units, it ends at once. If it fails, every shard computes its own
# states. scripts/slurm/submit starts it.
#
#   prepare.sh FOLDER PROGRAM REQUEUE QUESTION...
#SBATCH --job-name=kt-enum-prepare
#SBATCH --time=12:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
set -euo pipefail
out=$1 program=$2 requeue=$3 question=("${@:4}")

# The memory of this task: three quarters of the memory that Slurm granted, or, without a grant, of
# the share of the node that belongs to its cores.
cpus=${SLURM_CPUS_PER_TASK:-1}
granted=${SLURM_MEM_PER_NODE:-$((${SLURM_MEM_PER_CPU:-0} * cpus))}
if [ "$granted" = 0 ]; then
  granted=$(awk -v cpus="$cpus" -v all="$(nproc --all)" '/^MemTotal:/ { print int($2 / 1024 * cpus / all) }' /proc/meminfo)
fi
options=()
has_option() { case " ${question[*]}" in *" $1" | *" $1 "* | *" $1="*) ;; *) return 1 ;; esac; }
has_option --memory || options+=(--memory "$((granted * 3 / 4))M")
has_option --threads || options+=(--threads "$cpus")

# A task saves and stops five minutes before its time limit, or after four fifths of a short limit,
# exits with 75 and is queued again. Slurm tells the time left; without a limit nothing is needed.
seconds_left() {
  if [ -n "${SLURM_JOB_END_TIME:-}" ]; then
    echo $((SLURM_JOB_END_TIME - $(date +%s)))
  else
    # The format is days-hours:minutes:seconds, without leading fields that are not needed.
    squeue -h -j "$SLURM_JOB_ID" -o %L 2>/dev/null | awk -F '[-:]' '/^[-:0-9]+$/ {
      split("1 60 3600 86400", unit, " "); for (i = NF; i > 0; i--) sum += $i * unit[NF - i + 1]; print sum }'
  fi
}
left=$(seconds_left || true)
if [ -n "$left" ] && ! has_option --max-time; then
  lead=$((left / 5 < 300 ? left / 5 : 300))
  options+=(--max-time "$((left - lead))s")
fi

"$program" prepare "${question[@]}" "${options[@]}" --out "$out" &
child=$!
trap 'kill -TERM "$child"' TERM
code=0
wait "$child" || code=$?
while kill -0 "$child" 2>/dev/null; do
  code=0
  wait "$child" || code=$?
done
if [ "$code" = 75 ] && [ "$requeue" = yes ]; then
  scontrol requeue "$SLURM_JOB_ID" || true
fi
exit "$code"
