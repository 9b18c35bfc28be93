/**
 * What stands beside a request's body, for every operation of the OpenAPI document: methods that an address does not have,
 * parameters of the query with values that their schema does not take, again or unknown, keys of repeated requests, and bodies
 * of other types or none. Each is refused by its name, without a stack. A new operation is tried by itself.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApiPath } from "@forgeline/server/edges/openapi/openapi.ts";
import type { ApiRequest } from "../support/api-server.ts";
import { schemaReader, type FieldSchema } from "../support/bad-values.ts";
import { startExampleWorld, type ExampleWorld } from "../support/example-world.ts";
import { isFull } from "../support/size.ts";
import { documentedOperations, openApi, type DocumentedOperation } from "../support/openapi-operations.ts";

const json = { "Content-Type": "application/json" };
const reader = schemaReader(openApi);

let world: ExampleWorld;
beforeAll(async () => {
  world = await startExampleWorld();
});
afterAll(() => world?.stop());

/** Undefined when it was refused as it should be. */
async function unlessRefused(
  { id, address }: DocumentedOperation,
  expected: { status: number; field?: string; allow?: string },
  { method, query = "", ...request }: ApiRequest & { method: string; query?: string },
): Promise<unknown> {
  const answer = await world.server.api(method, address() + query, { token: world.ada.token, ...request });
  const { status, headers, text, json } = answer;
  const fields = ((json?.errors ?? []) as { field: string }[]).map(({ field }) => field);
  const isNamed = expected.field === undefined || fields.includes(expected.field);
  const isAllowed = expected.allow === undefined || sorted(headers.allow ?? "") === expected.allow;
  if (status === expected.status && isNamed && isAllowed && !text.includes("node_modules")) return undefined;
  return { id, method, query, status, expected, allow: headers.allow, text: text.slice(0, 200) };
}

const sorted = (methods: string) => methods.split(", ").sort().join(", ");
const found = async (attempts: Promise<unknown>[]) =>
  (await Promise.all(attempts)).filter((each) => each !== undefined);

const byPath = Map.groupBy(documentedOperations, ({ contract }) => openApiPath(contract.path));

test.each([...byPath].map(([path, operations], turn) => [path, operations, turn] as const))(
  "%s has its own methods and no other",
  async (_path, operations, turn) => {
    const [first] = operations;
    const own = operations.map(({ method }) => method);
    if (own.includes("GET")) own.push("HEAD");
    const foreign = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"].filter(
      // Each is answered by the same lines for every address: in turn, unless all are asked.
      (method, at) => !own.includes(method) && (isFull || (at + turn) % 3 === 0),
    );
    const allow = sorted(own.join(", "));
    const attempts = foreign.map((method) => unlessRefused(first!, { status: 405, allow }, { method }));
    expect(await found(attempts)).toEqual([]);
  },
);

const texts = [
  "",
  " ",
  "0",
  "-1",
  "1.5",
  "1e3",
  "99999999999999999999",
  "null",
  "text",
  "a\0b",
  "é",
  "x".repeat(5000),
];

/** Values of the query are text, whatever the schema makes of them. */
function isTaken(schema: FieldSchema, value: string): boolean {
  if (schema.type === "integer") return /^-?\d+$/.test(value) && reader.isValid(schema, Number(value));
  return reader.isValid(schema, value);
}

const withQuery = documentedOperations.filter(({ query }) => query.length > 0);

test("there are operations to try", () => {
  expect(withQuery.length).toBeGreaterThan(50);
});

describe.each(withQuery.map((each, turn) => [each.id, each, turn] as const))("%s", (_id, operation, turn) => {
  test("refuses what a parameter does not take, by the parameter's name", async () => {
    const { method, query } = operation;
    const refused = query.flatMap(({ name, schema }) =>
      texts
        .filter((value) => !isTaken(schema, value))
        // What pages are is one schema for all lists.
        .filter((_, at) => isFull || !["page", "per_page"].includes(name) || (at + turn) % 4 === 0)
        .map((value) => [name, `?${new URLSearchParams({ [name]: value }).toString()}`] as const),
    );
    const twice = query.map(({ name }) => [name, `?${name}=1&${name}=1`] as const);
    const attempts = [...refused, ...twice, ["colour", "?colour=red"] as const].map(([field, text]) =>
      unlessRefused(operation, { status: 400, field }, { method, query: text }),
    );
    expect(await found(attempts)).toEqual([]);
  });
});

const withBody = documentedOperations.flatMap(({ body, ...each }) => (body ? [{ ...each, body }] : []));

test.each(withBody.map((each, turn) => [each.id, each, turn] as const))(
  "%s takes JSON alone",
  async (_id, operation, turn) => {
    const { method } = operation;
    const body = JSON.stringify(operation.body.example);
    const types = [
      "text/plain",
      "multipart/form-data",
      "multipart/form-data; boundary",
      "application/json5",
      "json",
    ];
    const tried = types.filter((_, at) => isFull || at === turn % types.length);
    const attempts = tried.map((type) =>
      unlessRefused(operation, { status: 415 }, { method, body, headers: { "Content-Type": type } }),
    );
    const cut = unlessRefused(operation, { status: 400 }, { method, body: body.slice(0, -1), headers: json });
    const other = unlessRefused(operation, { status: 422 }, { method, body: "[]", headers: json });
    // Some ask for nothing that they must have.
    const needsOne = !reader.isValid(operation.body.schema, {});
    const none = needsOne && unlessRefused(operation, { status: 422 }, { method, headers: json });
    expect(await found([...attempts, cut, other, ...(none ? [none] : [])])).toEqual([]);
  },
);

// A repository that is not deleted is not there to be restored, whatever else is sent.
const withKey = documentedOperations.filter(({ id, takesKey }) => takesKey && id !== "restoreRepository");

test.each(withKey.map((each) => [each.id, each] as const))("%s refuses a bad key", async (_id, operation) => {
  const { method, body } = operation;
  const attempts = ["two words", "x".repeat(256), "\u00e9"].map((key) =>
    unlessRefused(
      operation,
      { status: 400 },
      { method, body: body?.example, headers: { "Idempotency-Key": key } },
    ),
  );
  expect(await found(attempts)).toEqual([]);
});
