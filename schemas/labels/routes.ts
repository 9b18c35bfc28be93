/** Operations on the labels of a repository. */
import { z } from "zod";
import { displayText } from "../core/display-text.ts";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { Label, LabelCreate, LabelUpdate, maxLabels } from "./resource.ts";

const read = { tag: "labels", access: "repo_read", scope: "issue:read" } as const;
const manage = { tag: "labels", access: "repo_maintain", scope: "issue:write" } as const;
const path = "/repos/:owner/:repo/labels";
const One = z.strictObject({ ...RepositoryParams.shape, id: idOf("lbl") });

export const listLabels = route({
  ...read,
  id: "listLabels",
  method: "get",
  path,
  summary: "Labels of a repository, by name",
  params: RepositoryParams,
  query: PageQuery.extend({
    q: displayText(200)
      .optional()
      .describe("Only labels with this text in their name or description; case does not matter."),
  }),
  status: 200,
  response: z.array(Label),
  paginated: true,
  errors: [],
});

export const getLabel = route({
  ...read,
  id: "getLabel",
  method: "get",
  path: `${path}/:id`,
  summary: "One label",
  params: One,
  status: 200,
  response: Label,
  errors: [],
});

export const createLabel = route({
  ...manage,
  id: "createLabel",
  method: "post",
  path,
  summary: "Create a label",
  description: `A name can be used once, whatever its case: 409. A repository has at most ${maxLabels} labels. With \`::\` in the name, as in \`priority::high\`, what stands before the last \`::\` is the scope of the label: putting it on an issue removes other labels of that scope.`,
  params: RepositoryParams,
  body: LabelCreate,
  status: 201,
  response: Label,
  errors: ["conflict", "repository_archived"],
});

export const updateLabel = route({
  ...manage,
  id: "updateLabel",
  method: "patch",
  path: `${path}/:id`,
  summary: "Rename a label, or change its color or description",
  description: "It shows everywhere the label is.",
  params: One,
  body: LabelUpdate,
  status: 200,
  response: Label,
  errors: ["conflict", "repository_archived"],
});

export const deleteLabel = route({
  ...manage,
  id: "deleteLabel",
  method: "delete",
  path: `${path}/:id`,
  summary: "Delete a label",
  description: "It is removed from everything it is on.",
  params: One,
  status: 204,
  errors: ["repository_archived"],
});
