/** The operations of the OpenAPI document, with addresses made of its examples. */
import { createOpenApiDocument, openApiPath } from "@forgeline/server/edges/openapi/openapi.ts";
import type { RouteContract } from "@forgeline/schemas/core/route.ts";
import { allContracts } from "../../scripts/generate/contracts.ts";
import type { FieldSchema } from "./bad-values.ts";

export interface DocumentedOperation {
  id: string;
  method: string;
  contract: RouteContract;
  /** Relative to `{base_url}`; `names` in place of the examples of its parameters. */
  address(names?: Record<string, string>): string;
  /** The example is the contract's own where it has one, else put together from its parts. */
  body: { schema: FieldSchema; example: unknown; hasOwnExample: boolean } | undefined;
  /** `?…` with the parameters of the query that it must have; empty where it needs none. */
  neededQuery: string;
  /** Parameters of the query. */
  query: { name: string; schema: FieldSchema }[];
  /** Whether it may be asked again with an `Idempotency-Key`. */
  takesKey: boolean;
}

interface OperationObject {
  parameters: { name: string; in: string; required?: boolean; schema: FieldSchema; example?: string }[];
  requestBody?: { content: { "application/json": { schema: FieldSchema; example: unknown } } };
}

export const contracts = await allContracts();
export const openApi = createOpenApiDocument(contracts);

export const documentedOperations: DocumentedOperation[] = contracts.map((contract) => {
  const { id, method, path } = contract;
  const documented = openApi.paths[openApiPath(path)]?.[method] as unknown as OperationObject;
  const body = documented.requestBody?.content["application/json"];
  const hasOwnExample = contract.body?.meta()?.["examples"] !== undefined;
  const example = (name: string) => documented.parameters.find((each) => each.name === name)?.example;
  return {
    id,
    method: method.toUpperCase(),
    contract,
    address: (names = {}) =>
      openApiPath(path).replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
        encodeURIComponent(String(names[name] ?? example(name))),
      ),
    body: body && { ...body, hasOwnExample },
    neededQuery: neededQuery(documented.parameters),
    query: documented.parameters.filter((each) => each.in === "query"),
    takesKey: documented.parameters.some((each) => each.name === "Idempotency-Key"),
  };
});

/** Words are all that any operation needs in its query. */
export function neededQuery(parameters: readonly { name: string; in: string; required?: boolean }[]): string {
  const needed = parameters.filter((each) => each.in === "query" && each.required);
  return needed.length === 0 ? "" : `?${needed.map(({ name }) => `${name}=words`).join("&")}`;
}
