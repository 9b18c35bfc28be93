/** Binds the operations on reviews, and on who is asked for one. */
import {
  createReview,
  deleteReview,
  dismissReview,
  getReview,
  listReviewers,
  listReviews,
  setReviewers,
  submitReview,
  updateReview,
} from "@forgeline/schemas/reviews/routes.ts";
import type { ReviewerService, ReviewService } from "../../../domains/collaboration/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerReviewRoutes(
  app: RouteBinder,
  { reviews, reviewerService }: { reviews: ReviewService; reviewerService: ReviewerService },
): void {
  app.bindRepository(listReviews, async ({ actor, params, query, ...granted }) => {
    const { items, total } = await reviews.list(actor, granted, { ...query, number: params.number });
    return { body: items, total };
  });
  app.bindRepository(createReview, async ({ actor, params, body, ...granted }) => {
    const made = await reviews.create(actor, granted, { ...body, number: params.number });
    return { body: made, location: made.url };
  });
  app.bindRepository(getReview, async ({ actor, params, ...granted }) => ({
    body: await reviews.get(actor, granted, params),
  }));
  app.bindRepository(updateReview, async ({ actor, params, body, ...granted }) => ({
    body: await reviews.update(actor, granted, { ...params, ...body }),
  }));
  app.bindRepository(submitReview, async ({ actor, params, body, ...granted }) => ({
    body: await reviews.submit(actor, granted, { ...params, ...body }),
  }));
  app.bindRepository(deleteReview, ({ actor, params, ...granted }) => reviews.remove(actor, granted, params));
  app.bindRepository(dismissReview, async ({ actor, params, body, ...granted }) => ({
    body: await reviews.dismiss(actor, granted, { ...params, ...body }),
  }));
  app.bindRepository(listReviewers, async ({ actor, params, query, ...granted }) => {
    const { items, total } = await reviewerService.list(actor, granted, { ...query, number: params.number });
    return { body: items, total };
  });
  app.bindRepository(setReviewers, async ({ actor, params, body, ...granted }) => ({
    body: await reviewerService.set(actor, granted, { ...body, number: params.number }),
  }));
}
