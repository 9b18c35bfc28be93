/** Examples in the OpenAPI document are what they are examples of: by its own schemas, and by the contracts it is made of. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { createOpenApiDocument } from "@forgeline/server/edges/openapi/openapi.ts";
import { errorCatalogue, type ErrorCode } from "@forgeline/schemas/core/errors.ts";
import { allContracts } from "../../scripts/generate/contracts.ts";

interface Content {
  schema: object;
  example?: unknown;
}
interface Operation {
  operationId: string;
  parameters: { name: string; in: string; schema: object; example?: unknown }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<
    string,
    { description: string; content?: Record<string, Content & { examples?: Record<string, object> }> }
  >;
}

const contracts = await allContracts();
const document = createOpenApiDocument(contracts);
const operations = Object.values(document.paths).flatMap((methods) =>
  Object.values(methods as unknown as Record<string, Operation>),
);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, "document");

/** What is wrong with a value, by the schema as it stands in the document; "" for nothing. */
function wrong(schema: object, value: unknown): string {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'));
  return ajv.validate(absolute, value) ? "" : ajv.errorsText();
}

describe.each(operations.map((operation) => [operation.operationId, operation] as const))(
  "%s",
  (id, operation) => {
    const contract = contracts.find((each) => each.id === id);

    test("parameters: those in the path have an example, and each is valid", () => {
      for (const { name, in: place, schema, example } of operation.parameters) {
        expect({ name, has: place !== "path" || example !== undefined }).toEqual({ name, has: true });
        expect({ name, wrong: example === undefined ? "" : wrong(schema, example) }).toEqual({
          name,
          wrong: "",
        });
      }
    });

    test("bodies have an example, which is valid", () => {
      const request = operation.requestBody?.content["application/json"];
      expect(request === undefined).toBe(contract?.body === undefined);
      expect(request && wrong(request.schema, request.example)).toBe(request && "");
      expect(contract?.body?.safeParse(request?.example).error).toBeUndefined();
      const answer = operation.responses[String(contract?.status)]?.content?.["application/json"];
      expect(answer === undefined).toBe(contract?.response === undefined);
      expect(answer && wrong(answer.schema, answer.example)).toBe(answer && "");
      expect(contract?.response?.safeParse(answer?.example).error).toBeUndefined();
    });

    test("every error is shown, and no other", () => {
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        const shown = Object.keys(content?.["application/json"]?.examples ?? {});
        const codes = Number(status) < 400 ? [] : description.replaceAll("`", "").split(", ");
        expect(shown).toEqual(codes);
        expect(shown.map((code) => errorCatalogue[code as ErrorCode].status)).toEqual(
          shown.map(() => Number(status)),
        );
      }
    });
  },
);

test("the bodies of errors are valid", () => {
  const examples = document.components["examples"] as Record<string, { value: unknown }>;
  expect(Object.keys(examples)).toEqual(Object.keys(errorCatalogue));
  for (const { value } of Object.values(examples))
    expect(wrong({ $ref: "#/components/schemas/Error" }, value)).toBe("");
});
