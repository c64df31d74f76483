#!/usr/bin/env bash
# Merges the parts after the array has ended, with or without failures: kt-enum merge checks that
# the parts are complete and consistent. With the dependency afterok, this job would be lost as soon
# as one task ended with 75. scripts/slurm/submit starts it.
#
#   merge.sh FOLDER PROGRAM
#SBATCH --job-name=kt-enum-merge
#SBATCH --cpus-per-task=1
set -euo pipefail
out=${1:-${KT_OUT:-parts}}
program=${2:-${KT_ENUM:-kt-enum}}

"$program" merge "$out" --json --keep-units "$out/units" --overwrite
