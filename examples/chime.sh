#!/bin/sh
# A front end in a line: says what happens with socat, and reads what comes back. Plays a touch, and the unlock's chime.
#
#     examples/chime.sh [SOCKET]
set -eu
socket=${1:-${THRUM_SOCKET:-${XDG_RUNTIME_DIR:-/run}/thrum/control.sock}}

{
    echo '{"jsonrpc":"2.0","id":1,"method":"tone","params":{"frequency":440,"level":-12}}'
    echo '{"jsonrpc":"2.0","id":2,"method":"touch","params":{"phase":"began"}}'
    sleep 0.5
    echo '{"jsonrpc":"2.0","id":3,"method":"touch","params":{"phase":"ended"}}'
    echo '{"jsonrpc":"2.0","id":4,"method":"chime.play","params":{"name":"unlock"}}'
} | socat -t 2 - "UNIX-CONNECT:$socket"
