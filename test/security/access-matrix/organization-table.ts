/** Operations about one organization, `/orgs/{org}`, its teams, bots and apps. To outsiders only the organization itself shows. */
export const organizationTable = `
operation                          scope       needs
getOrganization                    -           everyone
listOrganizationRepositories       repo:read   everyone
updateOrganization                 org:admin   owner
deleteOrganization                 org:admin   owner

listOrganizationMembers            org:read    member
getOrganizationMember              org:read    member
setOrganizationMember              org:admin   owner
removeOrganizationMember           org:admin   member
listInvitations                    org:admin   owner
getInvitation                      org:admin   owner
createInvitation                   org:admin   owner
revokeInvitation                   org:admin   owner

listTeams                          org:read    member
createTeam                         org:admin   member
getTeam                            org:read    sees-team
updateTeam                         org:admin   manages-team
deleteTeam                         org:admin   manages-team
listTeamMembers                    org:read    sees-team
setTeamMember                      org:admin   manages-team
removeTeamMember                   org:admin   sees-team
listTeamRepositories               org:read    sees-team
grantTeamRepository                org:admin   manages-team
revokeTeamRepository               org:admin   manages-team

getTeamRouting                     org:read    in-team
setTeamRouting                     org:admin   manages-team

listDiscussions                    org:read    sees-team
createDiscussion                   issue:write sees-team
getDiscussion                      org:read    sees-team
updateDiscussion                   issue:write sees-team
deleteDiscussion                   issue:write sees-team
createDiscussionIssue              issue:write sees-team
pinDiscussion                      issue:write manages-team
unpinDiscussion                    issue:write manages-team
lockDiscussion                     issue:write manages-team
unlockDiscussion                   issue:write manages-team
listDiscussionReplies              org:read    sees-team
createDiscussionReply              issue:write sees-team
getDiscussionReply                 org:read    sees-team
updateDiscussionReply              issue:write sees-team
deleteDiscussionReply              issue:write sees-team
listDiscussionReactions            org:read    sees-team
addDiscussionReaction              issue:write sees-team
removeDiscussionReaction           issue:write sees-team
listReplyReactions                 org:read    sees-team
addReplyReaction                   issue:write sees-team
removeReplyReaction                issue:write sees-team

getOrganizationRetention               org:admin   owner
setOrganizationRetention               org:admin   owner
listOrganizationVariables              org:admin   owner
setOrganizationVariable                org:admin   owner
deleteOrganizationVariable             org:admin   owner

listOrganizationSecrets                org:admin   owner
putOrganizationSecret                  org:admin   owner
deleteOrganizationSecret               org:admin   owner
listOrganizationSecretUses             org:admin   owner
listOrganizationWebhooks               org:admin   owner
getOrganizationWebhook                 org:admin   owner
createOrganizationWebhook              org:admin   owner
updateOrganizationWebhook              org:admin   owner
deleteOrganizationWebhook              org:admin   owner
pingOrganizationWebhook                org:admin   owner
testOrganizationWebhook                org:admin   owner
listOrganizationWebhookDeliveries      org:admin   owner
getOrganizationWebhookDelivery         org:admin   owner
redeliverOrganizationWebhookDelivery   org:admin   owner
redeliverOrganizationWebhookDeliveries org:admin   owner

listBots                           org:admin   owner
getBot                             org:admin   owner
createBot                          org:admin   owner
updateBot                          org:admin   owner
deleteBot                          org:admin   owner
listBotTokens                      org:admin   owner
getBotToken                        org:admin   owner
createBotToken                     org:admin   owner
revokeBotToken                     org:admin   owner

listOrgOAuthApps                   org:admin   owner
getOrgOAuthApp                     org:admin   owner
createOrgOAuthApp                  org:admin   owner
updateOrgOAuthApp                  org:admin   owner
rotateOrgOAuthAppSecret            org:admin   owner
deleteOrgOAuthApp                  org:admin   owner

listOrganizationRunners                   org:admin   owner
getOrganizationRunnerDemand               org:admin   owner
createOrganizationRunnerRegistrationToken org:admin   owner
listOrganizationRunnerGroups              org:admin   owner
createOrganizationRunnerGroup             org:admin   owner

getSso                             org:admin   owner
setSso                             org:admin   owner
deleteSso                          org:admin   owner
listSsoIdentities                  org:admin   owner
deleteSsoIdentity                  org:admin   owner

exportOrganizationPipelines        pipeline:read member
getOrganizationPipelineStatistics  org:admin   owner
listOrganizationRunnerTime         org:admin   owner
getOrganizationStorage             org:admin   owner
listOrganizationRepositoryStorage  org:admin   owner
getOwnOrganizationLimits           org:admin   owner

listAuditLog                       audit:read  owner
verifyAuditLog                     audit:read  owner
listAuditExports                   audit:read  owner
createAuditExport                  audit:read  owner
getAuditExport                     audit:read  owner
deleteAuditExport                  audit:read  owner
listOrganizationConcurrencyGroups  org:admin   owner
releaseOrganizationConcurrencySlot org:admin   owner
getAuditStream                     org:admin   owner
setAuditStream                     org:admin   owner
deleteAuditStream                  org:admin   owner
testAuditStream                    org:admin   owner
`;
