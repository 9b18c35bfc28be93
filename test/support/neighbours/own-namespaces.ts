/**
 * A program in PID and network namespaces of its own, as in a container: it sees no process of the others, and reaches the machine
 * over a cable of its own alone. The disk is everybody's.
 */
import { execFileSync } from "node:child_process";
import { readlinkSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { eventually } from "../eventually.ts";
import { pathOf } from "../programs/needs.ts";

export interface Cable {
  /** The machine's end, as the program sees it. */
  machine: string;
  /** The program's end, as the machine sees it. */
  program: string;
  /** To be started with the program's words behind them; it begins when the cable is plugged in. */
  wrapper: readonly string[];
  /** Lets the program reach a port of the machine's loopback; the port at the machine's end. */
  lead(port: number): Promise<number>;
  plugIn(pid: number): Promise<void>;
  close(): void;
}

const begin = `until ip link set "$1" up 2>/dev/null; do sleep 0.05; done
ip address add "$2/30" dev "$1"
ip link set lo up
shift 2
exec "$@"`;

/** `number` tells cables of one machine apart: 0 to 16383. */
export function layCable(number: number): Cable {
  const ip = (...words: string[]) => execFileSync(pathOf("ip"), words, { stdio: "pipe" });
  const [high, low] = [number >> 6, (number & 63) << 2];
  // Of the range that is kept for tests between machines.
  const [machine, program] = [`198.18.${high}.${low + 1}`, `198.18.${high}.${low + 2}`];
  const [near, far] = [`fln${number}`, `flf${number}`];
  ip("link", "add", near, "type", "veth", "peer", "name", far);
  ip("address", "add", `${machine}/30`, "dev", near);
  ip("link", "set", near, "up");
  const leads: Server[] = [];
  const isolation = ["unshare", "--pid", "--net", "--fork", "--mount-proc", "--kill-child"];
  return {
    machine,
    program,
    wrapper: [...isolation, "sh", "-c", begin, "begin", far, program],
    lead: async (port) => {
      const lead = createServer((socket) => {
        const onward = connect(port, "127.0.0.1");
        for (const end of [socket, onward]) end.on("error", () => [socket, onward].map((e) => e.destroy()));
        socket.pipe(onward).pipe(socket);
      });
      leads.push(lead);
      await new Promise<void>((resolve) => lead.listen(0, machine, resolve));
      return (lead.address() as { port: number }).port;
    },
    async plugIn(pid) {
      const own = readlinkSync("/proc/self/ns/net");
      await eventually(() => readlinkSync(`/proc/${pid}/ns/net`) !== own);
      ip("link", "set", far, "netns", String(pid));
    },
    close() {
      for (const lead of leads) lead.close();
      // With the namespace of its other end the kernel removes it, too; it may be faster than we are.
      try {
        ip("link", "delete", near);
      } catch {
        return;
      }
    },
  };
}
