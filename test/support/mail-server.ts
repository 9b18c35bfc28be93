/** A mail server of a test, which keeps what it takes. */
import { createServer, type Server } from "node:net";

export interface MailServer {
  server: Server;
  port: number;
  /** As they were sent, with their headers. */
  taken: string[];
  /** Set by a test: every recipient is refused for good. */
  refuses: boolean;
}

/** Speaks enough SMTP to take mails; the first `putOff` are put off. */
export async function mailServer({ putOff = 0 } = {}): Promise<MailServer> {
  const taken: string[] = [];
  const box = { taken, refuses: false };
  let left = putOff;
  const answer = () => (box.refuses ? "550 nobody" : left-- > 0 ? "451 later" : "250 ok");
  const listening = createServer((socket) => {
    let data: string | undefined;
    let rest = "";
    const say = (line: string) => socket.write(`${line}\r\n`);
    say("220 test");
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      const lines = (rest + chunk.toString("utf8")).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (data !== undefined && line !== ".") data += `${line}\n`;
        else if (data !== undefined) {
          taken.push(data);
          data = undefined;
          say("250 taken");
        } else if (/^(EHLO|HELO|MAIL|RCPT|RSET)/i.test(line)) say(/^RCPT/i.test(line) ? answer() : "250 ok");
        else if (/^DATA/i.test(line)) {
          data = "";
          say("354 go");
        } else if (/^QUIT/i.test(line)) socket.end("221 bye\r\n");
        else say("502 what");
      }
    });
  });
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  return Object.assign(box, { server: listening, port: (listening.address() as { port: number }).port });
}
