/** Limits of one SSH connection, and of all of them together. */
import type { PaceLimits } from "../../platform/git/processes/pace.ts";
import type { HandshakeLimits } from "./handshakes.ts";
import type { PacketLimits } from "./packet-budget.ts";

export interface SshLimits {
  /** Connections of one process, and of these from one address (of IPv6, from one /56). */
  maxConnections: number;
  maxOfAddress: number;
  /** From the connection to the login. */
  loginMs: number;
  /** Keys that one connection may try. */
  maxKeys: number;
  /** Commands at a time on one connection. */
  maxCommands: number;
  /** How long a connection on which no command runs stays open. */
  unusedMs: number;
  /** As `unusedMs`, once the server stops: for clients that are about to begin, or still have to receive the end of a command. */
  leaveMs: number;
  /** How long a client may take to close its side of a connection that has ended. */
  farewellMs: number;
  /** How long a command may go without a byte in either direction. */
  idleMs: number;
  /** How long a command may take in all. */
  commandMs: number;
  /** When a client counts as too slow for a slot that others wait for. */
  pace: PaceLimits;
  /** Connections a second that begin. */
  handshakes: HandshakeLimits;
  packets: PacketLimits;
}

const second = 1_000;
const minute = 60 * second;

export const defaultLimits: Omit<
  SshLimits,
  "maxConnections" | "maxOfAddress" | "idleMs" | "commandMs" | "pace"
> = {
  loginMs: 30 * second,
  maxKeys: 20,
  maxCommands: 10,
  unusedMs: 10 * minute,
  leaveMs: 5 * second,
  farewellMs: 5 * second,
  handshakes: {
    ofAddress: { burst: 50, perSecond: 10 },
    strangers: { burst: 200, perSecond: 50 },
    known: { burst: 500, perSecond: 200 },
  },
  packets: {
    // Twenty keys take some sixty packets, the largest a quarter of this.
    beforeLogin: { packets: 200, bytes: 256 * 1024 },
    // Libraries that write each object of a push separately need thousands, which cost a few percent of the processor.
    ofConnection: { burst: 10_000, perSecond: 2_000 },
    ofUser: { burst: 10_000, perSecond: 3_000 },
  },
};
