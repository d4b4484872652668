/** The content type of each push type (section 5). */
export const contentTypes = { alert: 1, background: 2, voip: 3, liveactivity: 4, complication: 5, pushtotalk: 6 };
