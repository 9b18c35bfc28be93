/** Under which name and address a user's commits are made here. */

export interface CommitIdentity {
  name: string;
  email: string;
}

/** Ending of the addresses of users who have none; their names stand before it. */
export const noReply = "@users.noreply.invalid";

/** An address that a user does not show, or has not got, is none that a commit would show to everybody forever. */
export function commitIdentity(user: {
  username: string;
  display_name: string;
  email: string;
  email_public: boolean;
}): CommitIdentity {
  const wanted = user.display_name.replaceAll(/[<>\p{Cc}]/gu, "").trim();
  // Git refuses names that consist of punctuation alone.
  const name = /[\p{L}\p{N}]/u.test(wanted) ? wanted : user.username;
  return { name, email: (user.email_public && user.email) || `${user.username}${noReply}` };
}
