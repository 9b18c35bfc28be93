/**
 * Makes changes through the API, and looks for each whether its entry belongs to it: first while the audit log
 * takes nothing, when nothing may change, then again in earnest.
 */
import pg from "pg";
import { expect } from "vitest";
import type { ApiAnswer, ApiServer } from "../../../../support/api-server.ts";
import type { Browser } from "../../../../support/browser.ts";
import { eventually } from "../../../../support/eventually.ts";
import { databaseState } from "../../../../support/database-state.ts";
import { expected } from "./expected.ts";

export interface Change {
  /** By name, as in the path of the contract. */
  path?: Record<string, string>;
  body?: unknown;
  /** In place of `body`, made anew for each request. */
  makeBody?: () => Promise<unknown>;
  /** A token, or a browser; nobody without. */
  by?: string | Browser;
  /** In place of an ordinary request. */
  send?: (method: string, path: string) => Promise<ApiAnswer>;
}

export interface Driver {
  server: ApiServer;
  change(id: string, change?: Change): Promise<ApiAnswer>;
  /** Kinds seen so far, by operation. */
  seen: Map<string, Set<string>>;
  /** Does what no operation does, and adds its kinds to those seen. */
  beside(kind: string, act: () => Promise<ApiAnswer>): Promise<void>;
  close(): Promise<void>;
}

/** Mails are written by the way; attempts to sign in and challenges are used up however the attempt ends. */
const besides = [
  "account_tokens",
  "login_addresses",
  "login_attempts",
  "mail_requests",
  "mails",
  "passkey_challenges",
  "wall",
];

export async function createDriver(server: ApiServer): Promise<Driver> {
  const owner = new pg.Client({ connectionString: server.database.ownerUrl });
  await owner.connect();
  await owner.query(
    `create table wall (stands boolean);
     insert into wall values (false);
     create function stand_in_the_way() returns trigger language plpgsql security definer as $$
     begin
       if (select stands from public.wall) then raise exception 'the audit log takes nothing'; end if;
       return new;
     end $$;
     create trigger wall before insert on audit_log for each row execute function stand_in_the_way();`,
  );
  const seen = new Map<string, Set<string>>();
  const content = await databaseState(server.database, besides);

  async function entriesOf(answer: ApiAnswer): Promise<string[]> {
    const { rows } = await owner.query<{ action: string }>(
      "select distinct action from audit_log where request_id = $1 order by action",
      [answer.headers["x-request-id"]],
    );
    return rows.map(({ action }) => action);
  }

  function sender(
    id: string,
    { path = {}, body: given, makeBody, by, send }: Change,
  ): () => Promise<ApiAnswer> {
    const contract = server.http.binder.contracts().find((one) => one.id === id);
    if (!contract) throw new Error(`there is no operation ${id}`);
    const address = contract.path.replaceAll(
      /[:*](\w+)/g,
      (_all, name: string) => path[name] ?? `no-${name}`,
    );
    const method = contract.method.toUpperCase();
    if (send) return () => send(method, address);
    return async () => {
      const body = makeBody ? await makeBody() : given;
      if (typeof by === "object") return by.send(method, address, body);
      const request = { ...(by ? { token: by } : {}), ...(body === undefined ? {} : { body }) };
      return server.api(method, address, request);
    };
  }

  /** What servers do by themselves after a change would be taken for what the next one leaves behind. */
  async function untilAllIsDone(): Promise<void> {
    const due = `select (select count(*) from merge_request_subjects where due_at is not null)
        + (select count(*) from merge_requests where is_open and mergeability = 'checking') as count`;
    await eventually(async () => Number((await owner.query<{ count: string }>(due)).rows[0]?.count) === 0);
  }

  /** Nothing is done whose entry cannot be written. */
  async function tryAgainstWall(id: string, send: () => Promise<ApiAnswer>): Promise<void> {
    await untilAllIsDone();
    await content.changed();
    await owner.query("update wall set stands = true");
    const refused = await send();
    await owner.query("update wall set stands = false");
    const changed = await content.changed();
    expect({ id, status: refused.status >= 500, changed }).toEqual({ id, status: true, changed: [] });
  }

  return {
    server,
    seen,
    async change(id, change = {}) {
      const row = expected[id];
      if (row === undefined) throw new Error(`${id} has no row in expected.ts`);
      const kinds = row.startsWith("none: ") ? [] : row.split(", ");
      const send = sender(id, change);
      // An operation that writes one kind goes the same way each time.
      if (kinds.length > 1 || (kinds.length === 1 && !seen.has(id))) await tryAgainstWall(id, send);
      const answer = await send();
      if (answer.status >= 300) throw new Error(`${id} gave ${answer.status}: ${answer.text}`);
      const actions = await entriesOf(answer);
      expect({ id, unexpected: actions.filter((action) => !kinds.includes(action)) }).toEqual({
        id,
        unexpected: [],
      });
      expect({ id, recorded: actions.length > 0 }).toEqual({ id, recorded: kinds.length > 0 });
      seen.set(id, new Set([...(seen.get(id) ?? []), ...actions]));
      return answer;
    },
    async beside(kind, act) {
      expect(await entriesOf(await act())).toEqual([kind]);
      seen.set(kind, new Set([kind]));
    },
    async close() {
      await content.close();
      await owner.end();
    },
  };
}
