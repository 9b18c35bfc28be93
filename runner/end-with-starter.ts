/**
 * Ends this process when the one that started it was killed. That one is there only where the machine has an older Node (`bin.mjs`) or
 * by `forgeline runner start`, and holds a channel to this process. As with any KILL, jobs go on, and the next start takes them over.
 */
export function endWithStarter(): void {
  const end = () => process.kill(process.pid, "SIGKILL");
  if (process.connected === false) end();
  if (!process.connected) return;
  process.once("disconnect", end);
  // It must not keep a process alive that has nothing more to do.
  process.channel?.unref();
}
