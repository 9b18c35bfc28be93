/** Names of the records of the API, for Node and browser alike. */
import type { components } from "./generated/api.ts";

export type Schemas = components["schemas"];
