module lease-pause

go 1.24
