/**
 * The program that is process 1 of every container that runs steps. It must run under busybox sh, dash and bash.
 * Protocol, all of it files in directories that the agent shares with the container:
 *   /forgeline/in (read-only inside)  `run` and `signal` are FIFOs, `step-<n>.env` and `step-<n>.sh` scripts
 *   /forgeline/state                  `ready`, `step-<n>.begun`, `.pid`, `.exit` ("<code> <oom kills> <pid limit hits>")
 *   /forgeline/out                    `step-<n>.out`
 * Process 1 executes one step after the other in the foreground: nothing inside the container can kill it, so the
 * exit code is always written, and it reaps what steps leave behind. The listener delivers signals with shell
 * built-ins only, so it works when no further process can be made. A position runs once, however often it is asked for.
 */
export const supervisorScript = `in=/forgeline/in
state=/forgeline/state
sh=$(command -v sh)
bash=$(command -v bash) || bash=
setsid=$(command -v setsid) || setsid=

# Sets oom and full to the kernel's counters of this container: processes killed for memory, forks refused.
tally() {
  oom=0
  full=0
  for file in /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control; do
    [ -r "$file" ] && while read -r key value; do
      if [ "$key" = oom_kill ]; then oom=$value; fi
    done <"$file"
  done
  for file in /sys/fs/cgroup/pids.events /sys/fs/cgroup/pids/pids.events; do
    [ -r "$file" ] && while read -r key value; do
      if [ "$key" = max ]; then full=$value; fi
    done <"$file"
  done
}

# Without setsid a step has no group of its own, so everything but process 1 and this listener gets the signal.
listen() {
  while read -r position signal; do
    pid=
    read -r pid <"$state/step-$position.pid"
    if [ "$signal" = ALL ]; then
      kill -KILL -1
    elif [ -z "$setsid" ]; then
      kill "-$signal" -1
    elif [ -n "$pid" ]; then
      kill "-$signal" "-$pid"
    fi
  done <&4 2>/dev/null 3<&-
}

exec 3<>"$in/run"
# Open before anybody is told that we are ready: a signal that finds no reader would be lost.
exec 4<>"$in/signal"
listen &
listener=$!
echo ready >"$state/ready"
while read -r position <&3; do
  [ -e "$state/step-$position.begun" ] && continue
  : >"$state/step-$position.begun"
  if ! kill -0 "$listener" 2>/dev/null; then
    listen &
    listener=$!
  fi
  tally
  oom_before=$oom
  full_before=$full
  $setsid "$sh" "$in/step-$position.env" "$sh" "$bash" "$in/step-$position.sh" \\
    </dev/null >>"/forgeline/out/step-$position.out" 2>&1 3<&- 4<&-
  code=$?
  tally
  echo "$code $((oom - oom_before)) $((full - full_before))" >"$state/step-$position.exit"
done
`;
