/** What is read of a work item `w`, as SQL: the same for issues and merge requests, single or in lists. */
import type { ItemLabel, ItemMilestone } from "@forgeline/schemas/work-items/resource.ts";
import type { UserSnapshot } from "../../accounts/domain.ts";
import { reactionsSql } from "../reactions/columns.store.ts";

/** `viewer` is the parameter of who looks at it. */
export const itemColumns = (
  viewer: string,
) => `w.id, w.repository_id, w.number, w.title, w.body, w.state, w.state_reason, w.author_id, w.imported_author, w.locked, w.comments_count,
    w.due_on::text as due_on, w.pinned_at, w.closed_at, w.edited_at, w.created_at, w.updated_at,
    user_snapshot(w.author_id) as author, user_snapshot(w.closed_by) as closed_by,
    (select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name, 'color', l.color, 'description', l.description)
        order by lower(l.name)), '[]')
      from work_item_labels wl join labels l on l.id = wl.label_id where wl.work_item_id = w.id) as labels,
    (select coalesce(jsonb_agg(user_snapshot(wa.user_id) order by lower(u.username)), '[]')
      from work_item_assignees wa join users u on u.id = wa.user_id where wa.work_item_id = w.id) as assignees,
    (select jsonb_build_object('id', m.id, 'title', m.title, 'state', m.state, 'due_on', m.due_on)
      from milestones m where m.id = w.milestone_id) as milestone, ${reactionsSql("w.id", viewer)}`;

export interface KnownOfItem {
  /** A function gives it. */
  author: UserSnapshot | null;
  /** As above. */
  closed_by: UserSnapshot | null;
  /** Objects that the statement builds; their checks are in the table. */
  labels: ItemLabel[];
  /** As `author`. */
  assignees: UserSnapshot[];
  /** As `labels`. */
  milestone: ItemMilestone | null;
}
