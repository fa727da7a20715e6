#!/bin/sh
# A front end in a line for each thing that happens, with liblo's oscsend; thrumd hears it with --osc 7000. Plays a touch, and the
# unlock's chime.
#
#     examples/osc.sh [ADDRESS]
set -eu
thrum=${1:-osc.udp://127.0.0.1:7000}

# N leaves a parameter out, here whether the tone is held on.
oscsend "$thrum" /tone Nff 440 -12
oscsend "$thrum" /touch/began
sleep 0.5
oscsend "$thrum" /chime/play s unlock
# A sender that is a program of its own each time holds its finger until it is told to stop.
oscsend "$thrum" /stop
