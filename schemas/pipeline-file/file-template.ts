/** `uses` and `with`, and the file of a template. */
import { z } from "zod";
import { FileInputName, maxInputs } from "./file-input.ts";
import { FileScalar } from "./file-values.ts";

export const FileUses = z
  .string()
  .min(1, "the path of a template, such as ./ci/deploy.yml")
  .max(500, "at most 500 characters long")
  .meta({
    id: "uses",
    description:
      "A template: ./path.yml of this repository, or org/repo//path.yml@ref of another one that whoever starts the run may read.",
  });

export const FileWith = z.record(FileInputName, FileScalar).meta({
  id: "with",
  maxProperties: maxInputs,
  description: "Inputs of the template, by name. Values may hold ${{ }}.",
});

/** Keys at the top of a template. */
export const templateKeys = ["version", "name", "description", "inputs", "steps", "outputs", "job"] as const;

/** Keys of jobs that say when and where a job runs and what its token may do, which the file decides and not its template. */
export const keysOfUser = [
  "stage",
  "needs",
  "when",
  "matrix",
  "max_parallel",
  "priority",
  "fail_fast",
  "approval",
  "concurrency",
  "workspace",
  "permissions",
] as const;
