/** A user as records of others name one: what everyone may know. */
import type { z } from "zod";
import { User } from "./resource.ts";

export const Person = User.omit({ email: true }).meta({ id: "Person" });
export type Person = z.infer<typeof Person>;
