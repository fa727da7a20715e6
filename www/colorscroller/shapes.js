// The symbols of skins as paths, each filled within −1 to 1.

function polygon(context, points) {
    context.beginPath()
    for (const [x, y] of points) context.lineTo(x, y)
    context.closePath()
    context.fill()
}

const spikes = (count, inner) => Array.from({ length: 2 * count }, (_, n) => {
    const reach = n % 2 ? inner : 1
    const angle = Math.PI * (n / count - 0.5)
    return [reach * Math.cos(angle), reach * Math.sin(angle)]
})

function sparkle(context) {
    context.beginPath()
    context.moveTo(0, -1)
    for (const [x, y] of [[1, 0], [0, 1], [-1, 0], [0, -1]]) context.quadraticCurveTo(0, 0, x, y)
    context.fill()
}

function heart(context) {
    context.beginPath()
    context.moveTo(0, 0.9)
    context.bezierCurveTo(-0.5, 0.45, -1, 0.1, -1, -0.35)
    context.bezierCurveTo(-1, -0.72, -0.75, -0.92, -0.48, -0.92)
    context.bezierCurveTo(-0.25, -0.92, -0.08, -0.78, 0, -0.58)
    context.bezierCurveTo(0.08, -0.78, 0.25, -0.92, 0.48, -0.92)
    context.bezierCurveTo(0.75, -0.92, 1, -0.72, 1, -0.35)
    context.bezierCurveTo(1, 0.1, 0.5, 0.45, 0, 0.9)
    context.fill()
}

function moon(context) {
    context.beginPath()
    context.arc(0, 0, 1, 0.3 * Math.PI, 1.7 * Math.PI)
    context.arc(0.42, 0, 0.84, 1.58 * Math.PI, 0.42 * Math.PI, true)
    context.fill()
}

function infinity(context) {
    context.beginPath()
    context.moveTo(0, 0)
    context.bezierCurveTo(0.4, -0.62, 0.92, -0.5, 0.92, 0)
    context.bezierCurveTo(0.92, 0.5, 0.4, 0.62, 0, 0)
    context.bezierCurveTo(-0.4, -0.62, -0.92, -0.5, -0.92, 0)
    context.bezierCurveTo(-0.92, 0.5, -0.4, 0.62, 0, 0)
    context.lineWidth = 0.26
    context.strokeStyle = context.fillStyle
    context.stroke()
}

function disc(context) {
    context.beginPath()
    context.arc(0, 0, 1, 0, 2 * Math.PI)
    context.fill()
}

const arm = 0.34

export const shapes = {
    "★": context => polygon(context, spikes(5, 0.44)),
    "✦": sparkle,
    "♥": heart,
    "☾": moon,
    "▲": context => polygon(context, [[0, -0.9], [1, 0.8], [-1, 0.8]]),
    "◆": context => polygon(context, [[0, -1], [0.72, 0], [0, 1], [-0.72, 0]]),
    "✚": context => polygon(context, [[-arm, -1], [arm, -1], [arm, -arm], [1, -arm], [1, arm], [arm, arm], [arm, 1], [-arm, 1],
                                      [-arm, arm], [-1, arm], [-1, -arm], [-arm, -arm]]),
    "∞": infinity,
    "·": disc,
}
