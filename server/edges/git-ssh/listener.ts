/** The sockets on which SSH is served: one port on all addresses. */
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

export interface SshListener {
  port: number;
  /** Until called, connections wait. */
  attach(accept: (socket: Socket) => void): void;
  /** Takes no more connections; those that were taken live on. */
  close(): void;
}

/** Undefined without a port. Rejects when the port is taken. */
export async function openSshListener(config: {
  listen: readonly string[];
  sshPort: number | undefined;
}): Promise<SshListener | undefined> {
  if (config.sshPort === undefined) return undefined;
  const attached = Promise.withResolvers<(socket: Socket) => void>();
  const servers: Server[] = [];
  let port = config.sshPort;
  for (const address of config.listen) {
    const server = createServer({ pauseOnConnect: true }, (socket) => {
      // A client that is cut off before we speak to it.
      socket.on("error", () => undefined);
      void attached.promise.then((accept) => accept(socket));
    });
    servers.push(server);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, address, () => {
        server.off("error", reject);
        resolve();
      });
    });
    port = (server.address() as AddressInfo).port;
  }
  return {
    port,
    attach: attached.resolve,
    close() {
      for (const server of servers) server.close();
    },
  };
}
