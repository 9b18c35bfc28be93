import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiAnswer, type ApiServer } from "../../../support/api-server.ts";

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.stop());

/** Everything of an answer that could tell two apart, beside what differs for every request. */
function tellable(answer: ApiAnswer): unknown {
  const { date: _date, "x-request-id": _id, ...headers } = answer.headers;
  return { status: answer.status, headers, text: answer.text };
}

test("a hidden repository cannot be told from an absent one, by strangers, others, or tokens without scope", async () => {
  const ada = await server.person("ada");
  const eve = await server.person("eve");
  const scopeless = await server.tokenFor(eve, ["mr:read"]);
  const made = await server.api("POST", "/repos", {
    token: ada.token,
    body: { name: "secret", private: true },
  });
  expect(made.status).toBe(201);
  for (const token of [undefined, eve.token, scopeless]) {
    const ask = (name: string) =>
      server.api("GET", `/repos/ada/${name}`, token === undefined ? {} : { token });
    const hidden = await ask("secret");
    expect(tellable(hidden)).toEqual(tellable(await ask("absent")));
    expect(hidden.status).toBe(token === scopeless ? 403 : 404);
  }
  expect((await server.api("GET", "/repos/ada/secret", { token: ada.token })).status).toBe(200);
});

test("a public repository is readable by everyone, and only readable", async () => {
  const bob = await server.person("bob");
  await server.api("POST", "/repos", { token: bob.token, body: { name: "open", private: false } });
  expect((await server.api("GET", "/repos/bob/open")).status).toBe(200);
  expect((await server.api("GET", "/repos/BOB/Open")).status).toBe(200);
});
