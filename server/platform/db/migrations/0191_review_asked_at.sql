-- When this person was last told that their review of this item is wanted; it stays when they are not asked any more.
alter table notifications add column review_asked_at timestamptz;
