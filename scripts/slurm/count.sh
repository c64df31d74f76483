#!/usr/bin/env bash
# One shard of a count as a task of a Slurm array job: scripts/slurm/submit starts it with the question and the rest as
# arguments. To submit it by hand, edit the two places.
#
#   count.sh SHARDS FOLDER PROGRAM REQUEUE QUESTION...
#SBATCH --job-name=kt-enum
#SBATCH --cpus-per-task=1
#SBATCH --time=12:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
set -euo pipefail

# 1. The question, the same for all shards: options separated by blanks.
read -ra question <<<"${KT_QUESTION:---size 7 --split-depth 4}"
# 2. The number of shards: the array must have a task for each.
shards=${1:-${KT_SHARDS:-100}}

out=${2:-${KT_OUT:-parts}}
program=${3:-${KT_ENUM:-kt-enum}}
requeue=${4:-${KT_REQUEUE:-yes}}
[ $# -le 4 ] || question=("${@:5}")

# The memory of this task: three quarters of what Slurm granted, or of its cores' share of the node where nothing was granted.
cpus=${SLURM_CPUS_PER_TASK:-1}
granted=${SLURM_MEM_PER_NODE:-$((${SLURM_MEM_PER_CPU:-0} * cpus))}
if [ "$granted" = 0 ]; then
  granted=$(awk -v cpus="$cpus" -v all="$(nproc --all)" '/^MemTotal:/ { print int($2 / 1024 * cpus / all) }' /proc/meminfo)
fi
options=()
has_option() { case " ${question[*]}" in *" $1" | *" $1 "* | *" $1="*) ;; *) return 1 ;; esac; }
has_option --memory || options+=(--memory "$((granted * 3 / 4))M")
has_option --threads || options+=(--threads "$cpus")

# A task saves and stops before its time is up, leaves with 75 and is queued again: five minutes before, or after four fifths
# of a time limit that is short. The time left comes from Slurm; without a limit there is nothing to do.
seconds_left() {
  if [ -n "${SLURM_JOB_END_TIME:-}" ]; then
    echo $((SLURM_JOB_END_TIME - $(date +%s)))
  else
    # Written as days-hours:minutes:seconds, from the left as far as needed.
    squeue -h -j "$SLURM_JOB_ID" -o %L 2>/dev/null | awk -F '[-:]' '/^[-:0-9]+$/ {
      split("1 60 3600 86400", unit, " "); for (i = NF; i > 0; i--) sum += $i * unit[NF - i + 1]; print sum }'
  fi
}
left=$(seconds_left || true)
if [ -n "$left" ] && ! has_option --max-time; then
  lead=$((left / 5 < 300 ? left / 5 : 300))
  options+=(--max-time "$((left - lead))s")
fi

# In the background, because a shell that waits hears a signal at once, and one that runs a command does not.
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
# 75: stopped with the state saved. Sites with RequeueExit=75 queue the task again by themselves; this does it for the rest.
if [ "$code" = 75 ] && [ "$requeue" = yes ]; then
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}" || true
fi
exit "$code"
