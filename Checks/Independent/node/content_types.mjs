/** The content type of each push type (section 5), and that of a proof request (rule 11.19). */
export const contentTypes = {
  alert: 1, background: 2, voip: 3, liveactivity: 4, complication: 5, pushtotalk: 6, proofRequest: 7,
  fcm: 1, "fcm-data": 2,
};
