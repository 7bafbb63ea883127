. /tmp/rep/env.sh
while pgrep -f "rep/record.py round5:crash" >/dev/null; do sleep 2; done
heavy python /tmp/rep/record.py round5:silent round3:silent round2:silent round1:silent
