/** The name and address of commits that a user makes here. */

export interface CommitIdentity {
  name: string;
  email: string;
}

/** Domain of the addresses for users without an address of their own; their names come before it. */
export const noReply = "@users.noreply.invalid";

/** A commit would show its address to everybody forever, so a hidden address is not used. */
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
