/** Operations about one repository: `/repos/{owner}/{repo}` and what lies below. */
export const repositoryTable = `
operation                                scope           level     archived  everyone  finds
getRepository                            repo:read       read      works     reads     present
listForks                                repo:read       read      works     reads     present
createFork                               repo:write      read      works     -         present
updateRepository                         repo:admin      maintain  refused   -         present
setRepositoryTopics                      repo:admin      maintain  refused   -         present
archiveRepository                        repo:admin      admin     works     -         present
unarchiveRepository                      repo:admin      admin     works     -         present
deleteRepository                         repo:admin      admin     works     -         present
restoreRepository                        repo:admin      admin     works     -         deleted
requestTransfer                          repo:admin      admin     refused   -         present
getTransfer                              repo:admin      read      works     -         present
acceptTransfer                           repo:admin      read      works     -         present
cancelTransfer                           repo:admin      read      works     -         present

getRootContents                          repo:read       read      works     reads     present
getContents                              repo:read       read      works     reads     present
putContents                              repo:write      write     refused   -         present
deleteContents                           repo:write      write     refused   -         present
getRawFile                               repo:read       read      works     reads     present
getTarball                               repo:read       read      works     reads     present
getZipball                               repo:read       read      works     reads     present
getBlame                                 repo:read       read      works     reads     present
listCommits                              repo:read       read      works     reads     present
getCommit                                repo:read       read      works     reads     present
compareCommits                           repo:read       read      works     reads     present

getCommitStatistics                      repo:read       read      works     reads     present
listContributors                         repo:read       read      works     reads     present
getLanguageStatistics                    repo:read       read      works     reads     present
getDependencyGraph                       repo:read       read      works     reads     present

listBranches                             repo:read       read      works     reads     present
getBranch                                repo:read       read      works     reads     present
createBranch                             repo:write      write     refused   -         present
deleteBranch                             repo:write      write     refused   -         present
listTags                                 repo:read       read      works     reads     present
getTag                                   repo:read       read      works     reads     present
createTag                                repo:write      write     refused   -         present
deleteTag                                repo:write      write     refused   -         present

listCollaborators                        repo:admin      admin     works     -         present
setCollaborator                          repo:admin      admin     refused   -         present
removeCollaborator                       repo:admin      admin     works     -         present
listDeployKeys                           repo:admin      admin     works     -         present
getDeployKey                             repo:admin      admin     works     -         present
createDeployKey                          repo:admin      admin     refused   -         present
deleteDeployKey                          repo:admin      admin     works     -         present

getMirror                                repo:admin      admin     works     -         present
listMirrorSyncs                          repo:admin      admin     works     -         present
setMirror                                repo:admin      admin     refused   -         present
previewMirror                            repo:admin      admin     refused   -         present
syncMirror                               repo:admin      admin     refused   -         present
deleteMirror                             repo:admin      admin     refused   -         present
getForkSync                              repo:read       read      works     reads     present
listForkSyncs                            repo:read       read      works     reads     present
syncFork                                 repo:write      write     refused   -         present
setForkSchedule                          repo:write      maintain  refused   -         present
deleteForkSchedule                       repo:write      maintain  refused   -         present
listSchedules                            repo:admin      admin     works     -         present
getSchedule                              repo:admin      admin     works     -         present
createSchedule                           repo:admin      admin     refused   -         present
updateSchedule                           repo:admin      admin     refused   -         present
deleteSchedule                           repo:admin      admin     works     -         present
runSchedule                              repo:admin      admin     refused   -         present
listScheduleRuns                         repo:admin      admin     works     -         present
listPushMirrors                          repo:admin      admin     works     -         present
getPushMirror                            repo:admin      admin     works     -         present
createPushMirror                         repo:admin      admin     refused   -         present
updatePushMirror                         repo:admin      admin     refused   -         present
deletePushMirror                         repo:admin      admin     works     -         present
syncPushMirror                           repo:admin      admin     refused   -         present
listPushMirrorSyncs                      repo:admin      admin     works     -         present

listWebhooks                             repo:admin      admin     works     -         present
getWebhook                               repo:admin      admin     works     -         present
createWebhook                            repo:admin      admin     refused   -         present
updateWebhook                            repo:admin      admin     refused   -         present
deleteWebhook                            repo:admin      admin     works     -         present
pingWebhook                              repo:admin      admin     refused   -         present
testWebhook                              repo:admin      admin     refused   -         present
listWebhookDeliveries                    repo:admin      admin     works     -         present
getWebhookDelivery                       repo:admin      admin     works     -         present
redeliverWebhookDelivery                 repo:admin      admin     refused   -         present
redeliverWebhookDeliveries               repo:admin      admin     refused   -         present
listBranchProtections                    repo:admin      admin     works     -         present
getBranchProtection                      repo:admin      admin     works     -         present
createBranchProtection                   repo:admin      admin     refused   -         present
updateBranchProtection                   repo:admin      admin     refused   -         present
deleteBranchProtection                   repo:admin      admin     refused   -         present
listTagProtections                       repo:admin      admin     works     -         present
getTagProtection                         repo:admin      admin     works     -         present
createTagProtection                      repo:admin      admin     refused   -         present
updateTagProtection                      repo:admin      admin     refused   -         present
deleteTagProtection                      repo:admin      admin     refused   -         present

listPipelines                            pipeline:read   read      works     runs      present
getPipeline                              pipeline:read   read      works     runs      present
listPipelineEvents                       pipeline:read   read      works     runs      present
listPipelineJobs                         pipeline:read   read      works     runs      present
getPipelineJob                           pipeline:read   read      works     runs      present
getPipelineLogs                          pipeline:read   read      works     runs      present
createLogStreamTicket                    pipeline:read   read      works     runs      present
triggerPipeline                          pipeline:write  write     refused   -         present
rerunPipeline                            pipeline:write  write     refused   -         present
cancelPipeline                           pipeline:write  write     works     -         present
declareJobLost                           pipeline:write  write     works     -         present
listConcurrencyGroups                    pipeline:read   read      works     runs      present
releaseConcurrencySlot                   pipeline:write  maintain  works     -         present
lintPipeline                             pipeline:write  write     works     -         present
planPipeline                             pipeline:write  write     works     -         present

getRepositoryStorage                     repo:admin      admin     works     -         present
getMaintenance                           repo:admin      admin     works     -         present
requestMaintenance                       repo:admin      admin     works     -         present

listRepositoryRunners                    repo:admin      admin     works     -         present
createRepositoryRunnerRegistrationToken  repo:admin      admin     refused   -         present
`;
