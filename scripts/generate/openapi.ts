/** `schemas/generated/openapi.json`. */
import { createOpenApiDocument } from "@forgeline/server/edges/openapi/openapi.ts";
import { allContracts } from "./contracts.ts";

export async function generateOpenApi(): Promise<string> {
  return `${JSON.stringify(createOpenApiDocument(await allContracts()), null, 2)}\n`;
}
