/** What is read of the reactions to a text, as SQL, in the statement that reads the text. */

/** Of the text with this id; `viewer` is the parameter of who looks at it. */
export const reactionsSql = (id: string, viewer: string) =>
  `(select coalesce(jsonb_agg(jsonb_build_object('name', counted.name, 'count', counted.count, 'mine', counted.mine)), '[]')
      from (select reacted.name, count(*)::int as count, coalesce(bool_or(reacted.user_id = ${viewer}::text), false) as mine
        from reactions reacted where reacted.subject_id = ${id} group by reacted.name) counted) as reactions`;
