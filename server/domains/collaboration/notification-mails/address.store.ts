/** Where mails of somebody go: fragments for the stores of this noun. */

/**
 * Of what is in the repository `r`, for the user `u` with the settings `s`: the verified address they chose for its organization,
 * otherwise the one they chose for all, otherwise the primary one; null: they have none.
 */
export const addressSql = `coalesce((select ue.email from notification_addresses na join user_emails ue on ue.id = na.email_id
      where na.user_id = u.id and na.organization_id = r.owner_id and ue.user_id = u.id and ue.verified_at is not null),
    (select ue.email from user_emails ue
      where ue.id = s.email_id and ue.user_id = u.id and ue.verified_at is not null), nullif(u.email, ''))`;
