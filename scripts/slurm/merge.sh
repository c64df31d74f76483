#!/usr/bin/env bash
# Puts the parts together after the array has ended, however it ended: kt-enum merge judges whether all is there and right.
# (With afterok this job would be lost for good once one task leaves with 75.) scripts/slurm/submit starts it.
#
#   merge.sh FOLDER PROGRAM
#SBATCH --job-name=kt-enum-merge
#SBATCH --cpus-per-task=1
set -euo pipefail
out=${1:-${KT_OUT:-parts}}
program=${2:-${KT_ENUM:-kt-enum}}

"$program" merge "$out" --json --keep-units "$out/units" --overwrite
