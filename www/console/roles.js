// What a role may see and change on this page. The engine checks it at each request; here it is only what is drawn.

/** Whether the role is told how everything is. */
export const inspects = role => ["watch", "volume", "operator"].includes(role)

/** Whether the role sets the volume and the mute. */
export const setsVolume = role => ["volume", "operator"].includes(role)
