#!/usr/bin/env bash
# Writes the history of each execution since a day into a directory, a file each, named after the execution.
# Usage: export-histories.sh STATE-MACHINE-ARN DIRECTORY SINCE      (2026-11-13: from that day on)
set -euo pipefail
machine=$1 directory=$2 since=$3
mkdir -p "$directory"
aws stepfunctions list-executions --state-machine-arn "$machine" \
    --query "executions[?startDate>='$since'].[executionArn]" --output text |
  while read -r execution; do
    aws stepfunctions get-execution-history --execution-arn "$execution" --output json \
      > "$directory/${execution##*:}.json"
  done
