#!/usr/bin/env bash
# One shard of a count as a task of a Slurm array job. Edit the two places; then scripts/slurm/submit.
#SBATCH --job-name=kt-enum
#SBATCH --cpus-per-task=1
#SBATCH --time=12:00:00
# Five minutes before its time is up the task is told to save and stop; it leaves with 75 and is queued again.
#SBATCH --signal=B:TERM@300
#SBATCH --requeue
#SBATCH --open-mode=append
set -euo pipefail

# 1. The question, the same for all shards.
KT_QUESTION=${KT_QUESTION:---size 7 --split-depth 4}
# 2. The number of shards: as the array of scripts/slurm/submit has tasks.
KT_SHARDS=${KT_SHARDS:-100}

KT_ENUM=${KT_ENUM:-kt-enum}
KT_OUT=${KT_OUT:-parts}

# The memory of this task: three quarters of what Slurm granted, or of its cores' share of the node where nothing was granted.
cpus=${SLURM_CPUS_PER_TASK:-1}
granted=${SLURM_MEM_PER_NODE:-$((${SLURM_MEM_PER_CPU:-0} * cpus))}
if [ "$granted" = 0 ]; then
  granted=$(awk -v cpus="$cpus" -v all="$(nproc --all)" '/^MemTotal:/ { print int($2 / 1024 * cpus / all) }' /proc/meminfo)
fi
memory=(--memory "$((granted * 3 / 4))M")
case " $KT_QUESTION" in *' --memory'*) memory=() ;; esac

# In the background, for a shell that waits hears the signal at once, and one that runs a command does not.
# shellcheck disable=SC2086  # the question is several words
"$KT_ENUM" shard "$SLURM_ARRAY_TASK_ID/$KT_SHARDS" $KT_QUESTION --threads "$cpus" "${memory[@]}" --out "$KT_OUT" &
child=$!
trap 'kill -TERM "$child"' TERM
code=0
wait "$child" || code=$?
# A wait that the signal ended says nothing of the child yet.
while kill -0 "$child" 2>/dev/null; do
  code=0
  wait "$child" || code=$?
done
# 75: stopped with the state saved. Sites with RequeueExit=75 queue the task again by themselves; this does it for the rest.
if [ "$code" = 75 ] && [ "${KT_REQUEUE:-yes}" = yes ]; then
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}" || true
fi
exit "$code"
