#!/usr/bin/env bash
# What all shards need, made once in their folder before the array begins. Where nothing precedes the units it is done at
# once; where it fails, every shard makes its own.
#SBATCH --job-name=kt-enum-prepare
#SBATCH --time=12:00:00
# Five minutes before its time is up it is told to save and stop; it leaves with 75 and is queued again.
#SBATCH --signal=B:TERM@300
#SBATCH --requeue
#SBATCH --open-mode=append
set -euo pipefail

# The memory of this task: three quarters of what Slurm granted, or of its cores' share of the node where nothing was granted.
cpus=${SLURM_CPUS_PER_TASK:-1}
granted=${SLURM_MEM_PER_NODE:-$((${SLURM_MEM_PER_CPU:-0} * cpus))}
if [ "$granted" = 0 ]; then
  granted=$(awk -v cpus="$cpus" -v all="$(nproc --all)" '/^MemTotal:/ { print int($2 / 1024 * cpus / all) }' /proc/meminfo)
fi
memory=(--memory "$((granted * 3 / 4))M")
case " $KT_QUESTION" in *' --memory'*) memory=() ;; esac

# shellcheck disable=SC2086  # the question is several words
"${KT_ENUM:-kt-enum}" prepare $KT_QUESTION --threads "$cpus" "${memory[@]}" --out "$KT_OUT" &
child=$!
trap 'kill -TERM "$child"' TERM
code=0
wait "$child" || code=$?
while kill -0 "$child" 2>/dev/null; do
  code=0
  wait "$child" || code=$?
done
if [ "$code" = 75 ] && [ "${KT_REQUEUE:-yes}" = yes ]; then
  scontrol requeue "$SLURM_JOB_ID" || true
fi
exit "$code"
