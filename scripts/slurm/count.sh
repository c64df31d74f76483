#!/usr/bin/env bash
# Counts one shard as a task of a Slurm array job. scripts/slurm/submit starts it with the question
# and the other settings as arguments. To submit it by hand, edit the two places.
#
#   count.sh SHARDS FOLDER PROGRAM REQUEUE QUESTION...
#SBATCH --job-name=kt-enum
#SBATCH --cpus-per-task=1
#SBATCH --time=12:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
set -euo pipefail

# 1. The question, the same for all shards: options separated by blanks.
read -rd '' -a question <<<"${KT_QUESTION:---size 7 --split-depth 4}" || true
# 2. The number of shards: the array must have a task for each.
shards=${1:-${KT_SHARDS:-100}}

out=${2:-${KT_OUT:-parts}}
program=${3:-${KT_ENUM:-kt-enum}}
requeue=${4:-${KT_REQUEUE:-yes}}
[ $# -le 4 ] || question=("${@:5}")

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
    # The last task of an array has the job ID of the whole array, so the task is named.
    squeue -h -j "${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}_$SLURM_ARRAY_TASK_ID" -o %L 2>/dev/null | awk -F '[-:]' '/^[-:0-9]+$/ {
      split("1 60 3600 86400", unit, " "); for (i = NF; i > 0; i--) sum += $i * unit[NF - i + 1]; print sum }'
  fi
}
left=$(seconds_left || true)
if [ -n "$left" ] && ! has_option --max-time; then
  lead=$((left / 5 < 300 ? left / 5 : 300))
  options+=(--max-time "$((left - lead))s")
fi

# The program runs in the background, because a shell handles a signal at once while it waits, but
# not while it runs a command.
"$program" shard "$SLURM_ARRAY_TASK_ID/$shards" "${question[@]}" "${options[@]}" --out "$out" &
child=$!
trap 'kill -TERM "$child"' TERM
code=0
wait "$child" || code=$?
# If the signal ended the wait, the child may still be running.
while kill -0 "$child" 2>/dev/null; do
  code=0
  wait "$child" || code=$?
done
# 75: stopped, with the state saved. Sites with RequeueExit=75 queue the task again by themselves;
# at other sites this command does it.
if [ "$code" = 75 ] && [ "$requeue" = yes ]; then
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}" || true
fi
exit "$code"
