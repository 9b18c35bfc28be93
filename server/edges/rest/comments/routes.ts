/** Binds the operations on single comments. */
import { deleteComment, getComment, updateComment } from "@forgeline/schemas/comments/routes.ts";
import type { CommentService } from "../../../domains/collaboration/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerCommentRoutes(app: RouteBinder, { comments }: { comments: CommentService }): void {
  app.bindRepository(getComment, async ({ actor, params, ...granted }) => ({
    body: await comments.get(actor, granted, params.id),
  }));
  app.bindRepository(updateComment, async ({ actor, params, body, ...granted }) => ({
    body: await comments.update(actor, granted, { id: params.id, ...body }),
  }));
  app.bindRepository(deleteComment, ({ actor, params, ...granted }) =>
    comments.remove(actor, granted, params.id),
  );
}
