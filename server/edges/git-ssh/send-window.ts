/**
 * How much one SSH connection may have under way to its client. The library passes on whatever the client's window lets
 * through, however large that is and however slowly the client reads, and keeps it all while keys are exchanged again; a
 * client that grants gigabytes and reads none must not cost us gigabytes of memory.
 */
import type { Socket } from "node:net";
import type { Connection } from "ssh2";

export interface SendWindow {
  /** So many bytes were handed to the library. */
  sent(bytes: number): void;
  /** Resolves when little enough is under way, or the signal says that nobody waits any more. */
  room(gone: AbortSignal): Promise<void>;
}

const maxUnderWayBytes = 256 * 1024;

export function createSendWindow(client: Connection, socket: Socket): SendWindow {
  let handedOn = 0;
  let flushedBefore = 0;

  /** Encryption adds bytes, so what was flushed may exceed what was handed on: such a surplus is forgotten. */
  function underWay(): number {
    const flushed = socket.bytesWritten - socket.writableLength - flushedBefore;
    if (flushed <= handedOn) return handedOn - flushed;
    flushedBefore += flushed;
    handedOn = 0;
    return 0;
  }

  return {
    sent(bytes) {
      underWay();
      handedOn += bytes;
    },
    async room(gone) {
      while (!gone.aborted && underWay() > maxUnderWayBytes) await moved(client, socket, gone);
    },
  };
}

/** The socket has taken what waited, new keys are in use, or nobody waits any more. */
function moved(client: Connection, socket: Socket, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off("drain", done);
      client.off("rekey", done);
      gone.removeEventListener("abort", done);
      resolve();
    };
    socket.on("drain", done);
    client.on("rekey", done);
    gone.addEventListener("abort", done);
  });
}
