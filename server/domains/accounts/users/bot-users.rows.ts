/** Made by `node scripts/generate-rows.ts` from the statements of bot-users.store.ts; do not edit. */

export interface BotUsersRows {
  insertBotUser: never;
  changeBotUser: never;
  retireBotUsers: {
    id: string;
  };
}
