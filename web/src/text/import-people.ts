/** Words of who people of another host are here. */
export const text = {
  title: "People without an account here",
  lead: "They wrote or are assigned what came. Say who they are here: whoever is asked decides, and texts then show the account.",
  there: "There",
  texts: "Texts",
  asked: "Asked",
  actions: "Actions",
  name: "Name",
  nameOf: (login: string) => `Name ${login}`,
  nameTitle: (login: string) => `Who is ${login} here?`,
  nameLead:
    "Somebody who reads the repository. You and members of an organization that you own are named at once, everybody else is asked by mail and decides within 7 days.",
  username: "User name",
  said: "Saved. Whoever has to agree was asked.",

  own: "Imported texts",
  ownLead:
    "Somebody asks whether you wrote these texts at another host. If you agree, they show your account as their author; this cannot be taken back.",
  none: "Nobody asks you about imported texts",
  repository: "In",
  by: "Asked by",
  expires: "Open until",
  accept: "They are mine",
  acceptName: (login: string) => `They are mine: ${login}`,
  acceptTitle: (login: string) => `Are the texts of ${login} yours?`,
  acceptText:
    "They will show your account as their author, and what the account was assigned there is assigned to you. This cannot be taken back.",
  accepted: "The texts show your account in a moment.",
  decline: "Not mine",
  declineName: (login: string) => `Not mine: ${login}`,
  declineTitle: (login: string) => `Are the texts of ${login} not yours?`,
  declineText: "They keep their name, without an account. You can be asked again.",
  declined: "Declined.",
  openRequests: (count: number) =>
    count === 1
      ? "You are asked whether imported texts are yours."
      : `You are asked ${count} times whether imported texts are yours.`,
  answer: "Answer",
} as const;
