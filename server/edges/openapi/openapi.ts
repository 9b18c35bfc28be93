/** OpenAPI 3.1, generated from the contracts alone. Deterministic: the same contracts give the same text. */
import type { z } from "zod";
import { ErrorBody } from "@forgeline/schemas/core/error-body.ts";
import { errorCatalogue, type ErrorCode } from "@forgeline/schemas/core/errors.ts";
import type { RouteContract } from "@forgeline/schemas/core/route.ts";
import { createComponents, type Components } from "./components.ts";
import { describeWebhooks } from "./describe-webhooks.ts";
import { createExamples, errorExamples, type Examples } from "./examples.ts";
import { pagingHeaders, rateHeaders, referTo, retryHeaders } from "./headers.ts";

export interface OpenApiDocument {
  openapi: "3.1.0";
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  webhooks: Record<string, unknown>;
  components: Record<string, unknown>;
}

export interface OpenApiOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security: Record<string, string[]>[];
  parameters: unknown[];
  requestBody?: unknown;
  responses: Record<string, unknown>;
}

const securitySchemes = {
  token: {
    type: "http",
    scheme: "bearer",
    description: "A Forgeline token; its scopes limit what it can do.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-forgeline_session",
    description: "A signed-in browser. Only for pages of this instance: the request's Origin must match.",
  },
  csrf: {
    type: "apiKey",
    in: "header",
    name: "X-CSRF-Token",
    description: "`csrf_token` of the session; required with its cookie for all methods except GET.",
  },
};

export function createOpenApiDocument(contracts: readonly RouteContract[]): OpenApiDocument {
  const components = createComponents();
  const addresses: Record<string, string> = {};
  const parts = { components, examples: createExamples(components.all, addresses) };
  Object.assign(addresses, recordAddresses(contracts, parts));
  components.schemaOf(ErrorBody, "output");
  const sorted = [...contracts].sort((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1));
  const paths: OpenApiDocument["paths"] = {};
  for (const contract of sorted)
    (paths[openApiPath(contract.path)] ??= {})[contract.method] = operation(contract, parts);
  return {
    openapi: "3.1.0",
    info: {
      title: "Forgeline",
      version: "1.0.0",
      description: "The REST API. Lists are paginated; every error has the same flat body.",
    },
    servers: [{ url: "/api/v1" }],
    tags: [...new Set(sorted.map((c) => c.tag))].sort().map((name) => ({ name })),
    paths,
    webhooks: describeWebhooks(components),
    components: {
      schemas: components.all(),
      examples: errorExamples(),
      headers: { ...pagingHeaders, ...rateHeaders, ...retryHeaders },
      securitySchemes,
    },
  };
}

/** Component → example of the address at which one record of it is read, relative to `{base_url}`. */
function recordAddresses(
  contracts: readonly RouteContract[],
  { components, examples }: Parts,
): Record<string, string> {
  const single = contracts.filter(({ method, paginated }) => method === "get" && !paginated);
  const entries = single.map(({ response, path, params }) => {
    const schemas = params ? components.inline(params, "input").properties : {};
    const address = openApiPath(path).replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
      encodeURIComponent(String(examples.ofParameter(openApiPath(path), name, schemas?.[name] ?? {}))),
    );
    return [response?.meta()?.id ?? "", address];
  });
  // If there are several, the shortest is the record's own.
  return Object.fromEntries(entries.sort(([, a = ""], [, b = ""]) => b.length - a.length));
}

/** `/repos/:owner/:repo` → `/repos/{owner}/{repo}`. */
export function openApiPath(path: string): string {
  return path.replaceAll(/[:*]([A-Za-z_]+)/g, "{$1}");
}

interface Parts {
  components: Components;
  examples: Examples;
}

function operation(contract: RouteContract, parts: Parts): OpenApiOperation {
  const category = contract.rateCategory ?? "core";
  const scope = contract.scope === undefined ? "" : `\n\nScope: \`${contract.scope}\`.`;
  const { bodyLimitBytes } = contract;
  const bodyLimit = bodyLimitBytes === undefined ? "" : ` Body: at most ${bodyLimitBytes / 1024 ** 2} MiB.`;
  const readableByAll = ["public", "repo_read", "org_visible"].includes(contract.access);
  return {
    operationId: contract.id,
    tags: [contract.tag],
    summary: contract.summary,
    description:
      `${contract.description ?? ""}${scope}\n\nAccess: \`${contract.access}\`. Rate limit: \`${category}\`.${bodyLimit}`.trim(),
    security: [
      ...(readableByAll ? [{}] : []),
      ...(contract.access === "public" ? [] : [{ token: [] }, sessionSecurity(contract)]),
    ],
    parameters: parameters(contract, parts),
    ...(contract.body
      ? {
          requestBody: {
            required: !contract.body.safeParse({}).success,
            content: { "application/json": jsonContent(contract.body, "input", parts) },
          },
        }
      : {}),
    ...(contract.bytes ? { requestBody: fileBody } : {}),
    responses: { ...success(contract, parts), ...failures(contract) },
  };
}

const fileBody = {
  required: true,
  content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
};

function jsonContent(type: z.ZodType, direction: "input" | "output", { components, examples }: Parts) {
  const schema = components.schemaOf(type, direction);
  // Its own is not in the schema of what is accepted where something is made of that, such as a time of a text.
  const given = type.meta()?.["examples"] as unknown[] | undefined;
  return { schema, example: given ? given[0] : examples.of(schema) };
}

function sessionSecurity(contract: RouteContract): Record<string, string[]> {
  return contract.method === "get" ? { session: [] } : { session: [], csrf: [] };
}

function parameters(contract: RouteContract, { components, examples }: Parts): unknown[] {
  const of = (schema: z.ZodObject | undefined, place: "path" | "query") => {
    if (!schema) return [];
    const object = components.inline(schema, "input");
    const required = new Set(object.required ?? []);
    return Object.entries(object.properties ?? {}).map(([name, { description, ...rest }]) => {
      const example = examples.ofParameter(openApiPath(contract.path), name, rest);
      return {
        name,
        in: place,
        required: place === "path" || required.has(name),
        ...(description === undefined ? {} : { description }),
        schema: rest,
        ...(example === undefined ? {} : { example }),
      };
    });
  };
  const idempotencyKey = {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description: "Repeating the same key and body within 24 hours returns the first response again.",
    schema: { type: "string", pattern: "^[!-~]{1,255}$" },
  };
  return [
    ...of(contract.params, "path"),
    ...of(contract.query, "query"),
    ...(contract.method === "post" && contract.access !== "public" && !contract.bytes
      ? [idempotencyKey]
      : []),
  ];
}

const moved = () => ({
  301: {
    description: "The repository has been renamed; `Location` has its new address.",
    headers: { ...referTo(rateHeaders), Location: { required: true, schema: { type: "string" } } },
    content: {
      "application/json": {
        schema: {
          type: "object",
          properties: { message: { type: "string" }, url: { type: "string" } },
          required: ["message", "url"],
        },
      },
    },
  },
});

const notModified = () => ({
  304: {
    description: "Unchanged since the given ETag; does not count against rate limits.",
    headers: referTo(rateHeaders),
  },
});

function success(contract: RouteContract, parts: Parts): Record<string, unknown> {
  const headers: Record<string, unknown> = { ...referTo(rateHeaders) };
  if (contract.method === "get") headers["ETag"] = { schema: { type: "string" } };
  if (contract.status === 201) headers["Location"] = { required: true, schema: { type: "string" } };
  if (contract.paginated) Object.assign(headers, referTo(pagingHeaders));
  const content: Record<string, unknown> = {};
  if (contract.response) content["application/json"] = jsonContent(contract.response, "output", parts);
  for (const type of contract.alternatives ?? []) content[type] = { schema: { type: "string" } };
  const answer = {
    description: contract.summary,
    headers,
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
  const isRead = contract.method === "get";
  const isMovable = isRead && contract.access.startsWith("repo_");
  return {
    [contract.status]: answer,
    ...(contract.mayTakeLonger ? { 202: { ...answer, description: "It takes longer, and goes on." } } : {}),
    ...(contract.mayExist ? { 204: { description: "It existed, and is replaced." } } : {}),
    ...(isMovable ? moved() : {}),
    ...(isRead ? notModified() : {}),
  };
}

/** Every error code of an operation: its own, and those that its form implies. */
export function errorCodesOf(contract: RouteContract): ErrorCode[] {
  const codes = new Set<ErrorCode>([
    "unauthorized",
    "internal_error",
    "unavailable",
    "bad_request",
    "rate_limit_exceeded",
    ...contract.errors,
  ]);
  if (contract.access !== "public") codes.add("forbidden");
  if (contract.scope) codes.add("insufficient_scope");
  if (contract.params) codes.add("not_found");
  if (contract.body)
    for (const code of ["validation_failed", "payload_too_large", "unsupported_media_type"] as const)
      codes.add(code);
  if (contract.method === "post" && contract.access !== "public")
    codes.add("conflict").add("validation_failed");
  return [...codes];
}

function failures(contract: RouteContract): Record<string, unknown> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(contract)) {
    const { status } = errorCatalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes
          .sort()
          .map((code) => `\`${code}\``)
          .join(", "),
        headers: {
          ...referTo(rateHeaders),
          ...(status === 429 || status === 503 ? referTo(retryHeaders) : {}),
        },
        content: {
          "application/json": {
            schema: { $ref: "#/components/schemas/Error" },
            examples: Object.fromEntries(
              codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        },
      },
    ]),
  );
}
