/**
 * A receiver of syslog over TLS (RFC 5425), which answers nothing. So what was written counts as accepted only when it has closed the
 * connection after we said that nothing follows: by then it has read everything.
 */
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import type { TlsConnection } from "../../../platform/outbound/dial-tls.ts";
import type { Batch } from "./batch.ts";
import { problemOf } from "./posted.ts";
import { answerMs, type StreamTarget } from "./stream-target.ts";
import { syslogFrame } from "./syslog-frame.ts";

export interface SyslogSettings {
  host: string;
  port: number;
  authority: string | undefined;
  /** `HOSTNAME` of messages. */
  sender: string;
}

export function createSyslogTarget(outbound: Outbound, settings: SyslogSettings): StreamTarget {
  const { host, port, authority, sender } = settings;
  let connection: TlsConnection | undefined;

  /** A connection that has failed is of no use any more. */
  async function onConnection(
    signal: AbortSignal,
    work: (on: TlsConnection) => Promise<void>,
  ): Promise<void> {
    try {
      connection ??= await outbound.dialTls({ host, port, authority, timeoutMs: answerMs, signal });
      await work(connection);
    } catch (error) {
      connection?.destroy();
      connection = undefined;
      signal.throwIfAborted();
      throw problemOf(error);
    }
  }

  return {
    acceptsEach: false,
    send: ({ lines }: Batch, signal) =>
      onConnection(signal, (on) => on.write(lines.map((line) => syslogFrame(line, sender)).join(""))),
    async confirm(signal) {
      if (connection) await onConnection(signal, (on) => on.finish());
      connection = undefined;
    },
    close: () => connection?.destroy(),
  };
}
