/**
 * The program that starts programs for a server, as ordered over the channel that it was started with. Ends with its server.
 * Its argument is the name at which the server expects the connections that become the programs' handles.
 */
import { spawn } from "node:child_process";
import { connect, type Socket } from "node:net";
import { abstractAddress, type StartOrder, type StartReport } from "./start-order.ts";

const address = abstractAddress(process.argv[2] ?? "");
const report = (message: StartReport) => void process.send?.(message, undefined, undefined, () => undefined);

/** Nothing is read from it here: all that comes is for the program. */
async function connectAs(key: string): Promise<Socket> {
  const socket = connect(address);
  socket.pause();
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.write(key, () => resolve());
  });
  return socket;
}

async function start({ id, program, args, directory, env, keys }: StartOrder): Promise<void> {
  const handles = await Promise.all(keys.map(async (key) => (key === null ? null : connectAs(key))));
  const child = spawn(program, args, {
    cwd: directory,
    env,
    stdio: handles.map((handle) => handle ?? "ignore"),
    // An own process group: a Ctrl-C in our terminal does not end it, and one signal ends all that it starts.
    detached: true,
  });
  child.once("error", (error) => report({ id, failure: error.message }));
  child.once("exit", (exitCode) => report({ id, exitCode }));
  if (child.pid !== undefined) report({ id, pid: child.pid });
  for (const handle of handles) handle?.destroy();
}

// A server that was told to stop still has exchanges to finish; its end ends us.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit());
process.on("message", (order: StartOrder) => {
  start(order).catch((error: Error) => report({ id: order.id, failure: error.message }));
});
