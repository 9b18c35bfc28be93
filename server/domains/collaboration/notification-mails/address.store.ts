/** Where mails of somebody go: fragments for the stores of this noun. */

/** Of the user `u` with the settings `s`: the verified address they chose, otherwise the primary one; null: they have none. */
export const addressSql = `coalesce((select ue.email from user_emails ue
      where ue.id = s.email_id and ue.user_id = u.id and ue.verified_at is not null), nullif(u.email, ''))`;
