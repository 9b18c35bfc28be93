/** Mails of a service that is tested without them. */
export const noMails = { write: () => Promise.resolve() };
