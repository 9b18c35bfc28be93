/**
 * Which SQL statements each request to a server in this process leads to. Watches the real ones: a request begins an
 * asynchronous context, and every query sent from there is noted with it.
 */
import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import pg from "pg";

export interface SentQuery {
  /** Of a statement that is kept prepared. */
  name?: string;
  text: string;
  values: unknown[];
}

export interface StatementWatch {
  /** Texts of the statements of the request with this `X-Watch` header, in order; it must be over. */
  of(mark: string): readonly string[];
  /** The same, with their values. */
  queriesOf(mark: string): readonly SentQuery[];
  stop(): void;
}

export const markHeader = "x-watch";

export function watchStatements(): StatementWatch {
  const noted = new Map<string, SentQuery[]>();
  const current = new AsyncLocalStorage<SentQuery[]>();
  const begin = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    const mark = request.headers[markHeader];
    const statements: SentQuery[] = [];
    if (typeof mark === "string") noted.set(mark, statements);
    current.enterWith(statements);
  };
  const query = pg.Client.prototype.query;
  // oxlint-disable-next-line typescript/no-explicit-any -- it has a dozen forms, all passed on as they come
  pg.Client.prototype.query = function (this: pg.Client, ...given: any[]) {
    const [first] = given as [string | SentQuery];
    current.getStore()?.push(typeof first === "string" ? { text: first, values: [] } : copyOf(first));
    return Reflect.apply(query, this, given);
  } as typeof query;
  const connect = pg.Pool.prototype.connect;
  // Who waits for a connection is called by whoever gives one back, in the context of that one's request.
  pg.Pool.prototype.connect = function (this: pg.Pool, ...given: unknown[]) {
    const own = given.map((each) =>
      typeof each === "function" ? AsyncResource.bind(each as () => void) : each,
    );
    return Reflect.apply(connect, this, own as []);
  } as typeof connect;
  subscribe("http.server.request.start", begin);
  const queriesOf = (mark: string) => {
    const statements = noted.get(mark);
    if (!statements) throw new Error(`no request was marked ${mark}`);
    return statements;
  };
  return {
    queriesOf,
    of: (mark) => queriesOf(mark).map(({ text }) => text),
    stop() {
      unsubscribe("http.server.request.start", begin);
      pg.Client.prototype.query = query;
      pg.Pool.prototype.connect = connect;
    },
  };
}

const copyOf = ({ name, text, values }: SentQuery): SentQuery => ({ ...(name && { name }), text, values });
