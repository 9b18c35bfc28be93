/**
 * Asks this process to end when the one that started it was killed. That one is there only where the machine has an older Node
 * (`bin.mjs`), and holds a channel to this process. `exec` removes its containers first.
 */
export function endWithStarter(): void {
  const end = () => process.kill(process.pid, "SIGINT");
  if (process.connected === false) end();
  if (!process.connected) return;
  process.once("disconnect", end);
  // It must not keep a process alive that has nothing more to do.
  process.channel?.unref();
}
